(** Sequences.v: sequences with two indices that clauses define exist. Lemmas only: no theorem is stated with a word of this file. *)

Require Import LemmaLab.LemmaLab.

(** A layer at a time: all layers at time 0, the first one and the others at time t + 1 from all layers at time t. *)
Lemma layers_along {A : Type} (start : nat -> A) (edge : nat -> (nat -> A) -> A) (step : nat -> nat -> (nat -> A) -> A) :
  exists f : nat -> nat -> A, (forall l, f l O = start l) /\
    (forall t, f O (t + 1)%nat = edge t (fun l => f l t)) /\
    (forall l t, f (l + 1)%nat (t + 1)%nat = step l t (fun l => f l t)).
Proof.
  exists (fun l t => (fix g t := match t with O => start | S s => fun l => match l with O => edge s (g s) | S k => step k s (g s) end end) t l).
  split; [reflexivity|]. split; [intros t | intros l t; rewrite (Nat.add_1_r l)]; rewrite (Nat.add_1_r t); reflexivity.
Qed.

(** A sequence at a time, each on its own or from all of them at the time before. *)
Lemma families_along {A : Type} (start : nat -> A) (step : nat -> nat -> (nat -> A) -> A) :
  exists f : nat -> nat -> A, (forall l, f l O = start l) /\
    (forall l t, f l (t + 1)%nat = step l t (fun l => f l t)).
Proof.
  exists (fun l t => (fix g t := match t with O => start | S s => fun l => step l s (g s) end) t l).
  split; [reflexivity|]. intros l t; rewrite (Nat.add_1_r t); reflexivity.
Qed.

(** States with a count and something else as parameters, along every path. *)
Lemma states_of_counts {A P H : Type} (start : nat -> P -> H -> A) (F : nat -> nat -> P -> H -> A -> A) :
  exists f : nat -> nat -> P -> H -> A,
    (forall k p h, f O k p h = start k p h) /\ (forall n k p h, f (n + 1)%nat k p h = F n k p h (f n k p h)).
Proof.
  exists (fix f n k p h := match n with O => start k p h | S m => F m k p h (f m k p h) end). split; [reflexivity|].
  intros n k p h. rewrite Nat.add_1_r. reflexivity.
Qed.
