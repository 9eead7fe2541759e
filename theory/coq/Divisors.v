(** Divisors.v: a divisor that is a multiple of one that is known. *)

Require Export LemmaLab.LemmaLab.

Ltac nz_multiple t :=
  lazymatch goal with |- ?e <> 0 => let H := fresh in let G := fresh in
    intro H; assert (G : t <> 0) by nz; apply G; clear - H; lra end.
(** A product is not zero, so no factor is. *)
Lemma factors_nz a b : a * b <> 0 -> a <> 0 /\ b <> 0.
Proof. intros H. split; intros K; apply H; rewrite K; ring. Qed.
Ltac divisors_apart := repeat match goal with H : ?a * ?b <> 0 |- _ => apply factors_nz in H; destruct H end.
