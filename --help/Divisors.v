(** Divisors.v: a divisor that is a multiple of one that is known. *)

Require Export LemmaLab.LemmaLab.

Ltac nz_multiple t :=
  lazymatch goal with |- ?e <> 0 => let H := fresh in let G := fresh in
    intro H; assert (G : t <> 0) by nz; apply G; clear - H; lra end.
