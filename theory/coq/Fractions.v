(** Fractions.v: `field` with fractions as numbers. Coq's own takes 17 / 2 for a quotient and multiplies all such divisors. *)

Require Import LemmaLab.LemmaLab.
Require Import QArith Qreduction Qreals.
Open Scope R_scope.

Definition as_real (q : Q) : R :=
  match Qden q with xH => IZR (Qnum q) | d => IZR (Qnum q) / IZR (Zpos d) end.

Lemma as_real_Q2R q : as_real q = Q2R q.
Proof. destruct q as [a [d|d|]]; unfold as_real, Q2R; simpl; [reflexivity | reflexivity | lra]. Qed.

Lemma Q2R_red q : Q2R (Qred q) = Q2R q.
Proof. apply Qeq_eqR, Qred_correct. Qed.

Lemma fractions_are_numbers : ring_morph 0 1 Rplus Rmult Rminus Ropp (@eq R)
  0%Q 1%Q Qplus' Qmult' Qminus' Qopp Qeq_bool as_real.
Proof.
  constructor; intros; rewrite ?as_real_Q2R; unfold Qplus', Qmult', Qminus'; rewrite ?Q2R_red.
  - unfold Q2R; simpl; lra.
  - unfold Q2R; simpl; lra.
  - apply Q2R_plus.
  - apply Q2R_minus.
  - apply Q2R_mult.
  - apply Q2R_opp.
  - apply Qeq_eqR, Qeq_bool_eq, H.
Qed.

Lemma equal_fractions p q : as_real p = as_real q -> Qeq_bool p q = true.
Proof. rewrite !as_real_Q2R. intros H. apply Qeq_bool_iff, eqR_Qeq, H. Qed.

Ltac fraction_of a b := lazymatch isZcst a with
  | true => lazymatch isPcst b with true => constr:(Qmake a b) | _ => constr:(InitialRing.NotConstant) end
  | _ => constr:(InitialRing.NotConstant) end.
Ltac fraction t := lazymatch t with
  | IZR ?a => fraction_of a xH
  | IZR ?a / IZR (Zpos ?b) => fraction_of a b
  | - IZR (Zpos ?a) / IZR (Zpos ?b) => fraction_of (Zneg a) b
  | _ => constr:(InitialRing.NotConstant)
  end.

Add Field numbers_with_fractions : Rfield
  (morphism fractions_are_numbers, completeness equal_fractions, constants [fraction], power_tac R_power_theory [Rpow_tac]).

Ltac field_with_fractions := field; cbv [as_real QArith_base.Qden QArith_base.Qnum].

(** A power is not zero, so its base is not. *)
Lemma base_nz a n : a ^ n <> 0 -> n <> O -> a <> 0.
Proof. intros H N K. apply H. rewrite K. apply pow_i. lia. Qed.
Ltac powers_apart :=
  repeat match goal with H : ?a ^ ?n <> 0 |- _ => apply base_nz in H; [ | discriminate] end.
