(** Bounds.v: rational bounds on exp. Lemmas only: no theorem is stated with a word of this file. *)

Require Import LemmaLab.LemmaLab.

Lemma exp_above_tangent x : 1 + x <= exp x.
Proof. destruct (Req_dec x 0) as [->|N]; [rewrite exp_0; lra|]. left. apply exp_ineq1, N. Qed.

Lemma exp_of_parts n x : (0 < n)%nat -> exp x = exp (x / INR n) ^ n.
Proof.
  intros P. assert (Q : INR n <> 0) by (apply not_0_INR; lia).
  assert (S : forall m, exp (x / INR n) ^ m = exp (INR m * (x / INR n))).
  { induction m as [|m IH]; [simpl; rewrite Rmult_0_l, exp_0; reflexivity|].
    rewrite S_INR, Rmult_plus_distr_r, exp_plus, Rmult_1_l, <- IH. simpl. ring. }
  rewrite S. f_equal. field. exact Q.
Qed.

Lemma exp_under n x low : (0 < n)%nat -> 0 <= 1 + x / INR n -> low <= (1 + x / INR n) ^ n -> low <= exp x.
Proof.
  intros P A B. rewrite (exp_of_parts n x P). apply (Rle_trans _ _ _ B), pow_incr.
  split; [exact A | apply exp_above_tangent].
Qed.

Lemma exp_over n x high : (0 < n)%nat -> 0 < 1 - x / INR n -> / (1 - x / INR n) ^ n <= high -> exp x <= high.
Proof.
  intros P A B. rewrite (exp_of_parts n x P). apply (Rle_trans _ (/ (1 - x / INR n) ^ n)); [|exact B].
  rewrite <- (Rinv_inv (exp (x / INR n) ^ n)).
  apply Rinv_le_contravar; [apply pow_lt, A|]. rewrite <- pow_inv.
  rewrite <- exp_Ropp. apply pow_incr. split; [lra|].
  assert (T := exp_above_tangent (- (x / INR n))). lra.
Qed.
