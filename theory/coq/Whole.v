(** Whole.v: a sequence over the naturals as a function of reals, for theorems about any function of a real index. *)

Require Import LemmaLab.LemmaLab LemmaLab.Counting.

Definition whole (x : R) : Z := Int_part x.
Lemma whole_is x z : x = IZR z -> whole x = z.
Proof.
  intros ->. unfold whole, Int_part. rewrite <- (tech_up (IZR z) (z + 1)); [lia | |]; rewrite plus_IZR; lra.
Qed.
(** An end such as 2 m - 1 of a range of integers, read as a real: products are folded first. *)
Ltac index_deep H := unfold between, onward in H; rewrite ?INR_IZR_INZ;
  repeat first [rewrite <- mult_IZR | rewrite <- plus_IZR | rewrite <- minus_IZR | rewrite <- opp_IZR];
  first [apply Rle_ge, IZR_le; within | apply IZR_le; within].
(** States of a recursion with a parameter, along every path. *)
Lemma states_along {A P H : Type} (start : P -> H -> A) (F : nat -> P -> H -> A -> A) :
  exists f : nat -> P -> H -> A, (forall p h, f O p h = start p h) /\ forall n p h, f (n + 1)%nat p h = F n p h (f n p h).
Proof.
  exists (fix f n p h := match n with O => start p h | S m => F m p h (f m p h) end). split; [reflexivity|].
  intros n p h. rewrite Nat.add_1_r. reflexivity.
Qed.
Ltac cast_deep := rewrite ?INR_IZR_INZ;
  repeat first [rewrite <- mult_IZR | rewrite <- plus_IZR | rewrite <- minus_IZR | rewrite <- opp_IZR]; f_equal; within.
