(** Directions.v: an order of matrices in every direction. Lemmas only: no theorem is stated with a word of this file. *)

Require Import LemmaLab.LemmaLab LemmaLab.Matrices LemmaLab.Kinds LemmaLab.Forms.

(** Only the first column of a direction counts, and of it the first entries. *)
Lemma in_a_direction n a x y : (forall i, (i < n)%nat -> x i O = y i O) ->
  times n (times n (flip x) a) x O O = times n (times n (flip y) a) y O O.
Proof.
  intros P. unfold times, flip. apply nsum_ext. intros k K. rewrite (P k K). f_equal.
  apply nsum_ext. intros l L. rewrite (P l L). reflexivity.
Qed.

Lemma in_every_direction n a b : minus b a = flip (minus b a) ->
  (forall u, sized n 1 u -> times n (times n (flip u) a) u O O <= times n (times n (flip u) b) u O O) -> below n a b.
Proof.
  intros S P. split; [symmetry; exact S|]. intros x.
  set (u := (fun i j => if Nat.ltb i n then if Nat.ltb j 1 then x i O else 0 else 0) : mat).
  assert (U : sized n 1 u).
  { intros i j Q. unfold u. destruct (Nat.ltb_spec i n); [|reflexivity]. destruct (Nat.ltb_spec j 1); [lia | reflexivity]. }
  assert (X : forall i, (i < n)%nat -> x i O = u i O).
  { intros i L. unfold u. apply Nat.ltb_lt in L. rewrite L. reflexivity. }
  rewrite (in_a_direction n _ x u X). specialize (P u U).
  replace (times n (times n (flip u) (minus b a)) u O O) with
    (times n (times n (flip u) b) u O O - times n (times n (flip u) a) u O O); [lra|].
  unfold times, minus, plus, opp, scale, flip.
  assert (M : forall f g, nsum n f - nsum n g = nsum n (fun k => f k - g k)).
  { intros f g. replace (nsum n f - nsum n g) with ((-1) * nsum n g + nsum n f) by ring. rewrite <- nsum_lin.
    apply nsum_ext. intros; ring. }
  rewrite M. apply nsum_ext. intros k _. rewrite <- Rmult_minus_distr_r. f_equal. rewrite M.
  apply nsum_ext. intros l _. ring.
Qed.
