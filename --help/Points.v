(** Points.v: matrices that are written out, at which a claim fails. *)

Require Import LemmaLab.LemmaLab LemmaLab.Forms.

(** The matrix with these rows. *)
Definition table (r c : nat) (rows : list (list R)) : mat := fun i j =>
  if Nat.ltb i r then if Nat.ltb j c then nth j (nth i rows []) 0 else 0 else 0.

Lemma sized_table r c rows : sized r c (table r c rows).
Proof.
  intros i j P. unfold table. destruct (Nat.ltb_spec i r); [|reflexivity]. destruct (Nat.ltb_spec j c); [lia | reflexivity].
Qed.
Lemma same_entries r c a b : sized r c a -> sized r c b -> (forall i j, (i < r)%nat -> (j < c)%nat -> a i j = b i j) -> a = b.
Proof.
  intros A B P. apply fm_ext. intros i j. destruct (Nat.le_gt_cases r i); [rewrite A, B by auto; reflexivity|].
  destruct (Nat.le_gt_cases c j); [rewrite A, B by auto; reflexivity|]. apply P; assumption.
Qed.
Lemma single_nonneg a : sized 1 1 a -> 0 <= a O O -> nonneg 1 a.
Proof.
  intros A P. split.
  - apply (same_entries 1 1); [apply sized_flip, A | exact A |]. intros [|i] [|j] I J; try lia. reflexivity.
  - intros x. replace (times 1 (times 1 (flip x) a) x O O) with (a O O * (x O O * x O O)).
    + apply Rmult_le_pos; [exact P | apply Rle_0_sqr].
    + unfold times, flip. simpl. ring.
Qed.
Lemma single_entry a : nonneg 1 a -> 0 <= a O O.
Proof.
  intros (_ & P). assert (Q := P (table 1 1 [[1]])).
  replace (times 1 (times 1 (flip (table 1 1 [[1]])) a) (table 1 1 [[1]]) O O) with (a O O) in Q; [exact Q|].
  unfold times, flip, table. simpl. ring.
Qed.
Lemma entry_alike (a b : mat) i j : a = b -> a i j = b i j. Proof. intros ->. reflexivity. Qed.

(** * Roots and logarithms that are rational *)

Lemma root_is r x : 0 <= r -> r * r = x -> sqrt x = r.
Proof. intros P <-. apply sqrt_square, P. Qed.
Ltac log_vanishes := rewrite ?ln_1, ?Rmult_0_r, ?Rmult_0_l.

(** * Letters *)

Ltac each i := repeat (destruct i as [|i]; [ | try (exfalso; lia)]).
Ltac matrices_alike r c := apply (same_entries r c); [sizes | sizes | let i := fresh in let j := fresh in
  let I := fresh in let J := fresh in intros i j I J; each i; each j; compute_fact].
Ltac single_sign := apply single_nonneg; [sizes | compute_fact].
