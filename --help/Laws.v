(** Laws.v: the laws of exp, ln, sin and cos that need a derivative, proved from Coq's own definitions. *)

Require Export LemmaLab.LemmaLab.

(** * A function whose derivative is not negative does not fall *)

Lemma rises f g a b :
  a <= b -> (forall x, a <= x <= b -> derivable_pt_lim f x (g x)) -> (forall x, a < x < b -> 0 <= g x) -> f a <= f b.
Proof.
  intros [L| ->] D P; [|lra]. destruct (MVT_cor2 f g a b L D) as (c & E & C).
  assert (Q := mul_nn (g c) (b - a) (P c C) ltac:(lra)). lra.
Qed.

Lemma d_eq f x a b : derivable_pt_lim f x a -> a = b -> derivable_pt_lim f x b. Proof. intros H <-. exact H. Qed.
Lemma d_const c x : derivable_pt_lim (fun _ => c) x 0. Proof. exact (derivable_pt_lim_const c x). Qed.
Lemma d_id x : derivable_pt_lim (fun y => y) x 1. Proof. exact (derivable_pt_lim_id x). Qed.
Lemma d_plus f g x a b : derivable_pt_lim f x a -> derivable_pt_lim g x b ->
  derivable_pt_lim (fun y => f y + g y) x (a + b).
Proof. exact (derivable_pt_lim_plus f g x a b). Qed.
Lemma d_minus f g x a b : derivable_pt_lim f x a -> derivable_pt_lim g x b ->
  derivable_pt_lim (fun y => f y - g y) x (a - b).
Proof. exact (derivable_pt_lim_minus f g x a b). Qed.
Lemma d_opp f x a : derivable_pt_lim f x a -> derivable_pt_lim (fun y => - f y) x (- a).
Proof. exact (derivable_pt_lim_opp f x a). Qed.
Lemma d_mult f g x a b : derivable_pt_lim f x a -> derivable_pt_lim g x b ->
  derivable_pt_lim (fun y => f y * g y) x (a * g x + f x * b).
Proof. exact (derivable_pt_lim_mult f g x a b). Qed.
Lemma d_exp f x a : derivable_pt_lim f x a -> derivable_pt_lim (fun y => exp (f y)) x (exp (f x) * a).
Proof. intros H. exact (derivable_pt_lim_comp f exp x a (exp (f x)) H (derivable_pt_lim_exp (f x))). Qed.
Lemma d_sin x : derivable_pt_lim (fun y => sin y) x (cos x). Proof. exact (derivable_pt_lim_sin x). Qed.
Lemma d_cos x : derivable_pt_lim (fun y => cos y) x (- sin x). Proof. exact (derivable_pt_lim_cos x). Qed.
Lemma d_ln f x a : derivable_pt_lim f x a -> 0 < f x -> derivable_pt_lim (fun y => ln (f y)) x (/ f x * a).
Proof. intros H P. exact (derivable_pt_lim_comp f ln x a (/ f x) H (derivable_pt_lim_ln (f x) P)). Qed.
Ltac slope := first
  [ apply d_const | apply d_id | apply d_sin | apply d_cos | apply d_plus; slope | apply d_minus; slope
  | apply d_mult; slope | apply d_opp; slope | apply d_exp; slope | apply d_ln; [slope | lra] ].
Ltac differentiate := eapply d_eq; [slope | cbv beta; try ring].

(** * The laws *)

Lemma law_exp_parabola_below t : t >= 0 -> exp t >= 1 + t + t ^ 2 / 2.
Proof.
  intros H. assert (P := rises (fun x => exp x - 1 - x - x * x * / 2) (fun x => exp x - 1 - x) 0 t).
  cbv beta in P. rewrite exp_0 in P. cut (1 - 1 - 0 - 0 * 0 * / 2 <= exp t - 1 - t - t * t * / 2); [lra|].
  apply P; [lra | intros; differentiate; field | intros x _; assert (Q := law_exp_tangent x); lra].
Qed.
Lemma law_exp_parabola_above t : t <= 0 -> exp t <= 1 + t + t ^ 2 / 2.
Proof.
  intros H. assert (P := rises (fun x => exp x - 1 - x - x * x * / 2) (fun x => exp x - 1 - x) t 0).
  cbv beta in P. rewrite exp_0 in P. cut (exp t - 1 - t - t * t * / 2 <= 1 - 1 - 0 - 0 * 0 * / 2); [lra|].
  apply P; [lra | intros; differentiate; field | intros x _; assert (Q := law_exp_tangent x); lra].
Qed.
Lemma exp_cubic t : t <= 0 -> 1 + t + t ^ 2 / 2 + t ^ 3 / 6 <= exp t.
Proof.
  intros H. assert (P := rises (fun x => 1 + x + x * x * / 2 + x * x * x * / 6 - exp x)
    (fun x => 1 + x + x * x * / 2 - exp x) t 0).
  cbv beta in P. rewrite exp_0 in P.
  cut (1 + t + t * t * / 2 + t * t * t * / 6 - exp t <= 1 + 0 + 0 * 0 * / 2 + 0 * 0 * 0 * / 6 - 1); [lra|].
  apply P; [lra | intros; differentiate; field |].
  intros x Hx. assert (Q := law_exp_parabola_above x ltac:(lra)). lra.
Qed.
Lemma law_exp_square_above t : t <= 1 -> exp t <= 1 + t + t ^ 2.
Proof.
  intros H. destruct (Rle_or_lt t 0) as [N|N].
  - assert (P := law_exp_parabola_above t N). assert (Q := pow2_ge_0 t). lra.
  - assert (P := exp_cubic (- t) ltac:(lra)). assert (M : exp t * exp (- t) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
    assert (S : 1 <= (1 + t + t ^ 2) * (1 + - t + (- t) ^ 2 / 2 + (- t) ^ 3 / 6)).
    { replace ((1 + t + t ^ 2) * (1 + - t + (- t) ^ 2 / 2 + (- t) ^ 3 / 6))
        with (1 + t ^ 2 * ((1 - t) * (1 / 2 - t / 6 + t ^ 2 / 6))) by field.
      assert (0 <= t ^ 2 * ((1 - t) * (1 / 2 - t / 6 + t ^ 2 / 6))); [|lra].
      assert (0 <= t ^ 2) by apply pow2_ge_0. repeat apply mul_nn; lra. }
    assert (T : (1 + t + t ^ 2) * (1 + - t + (- t) ^ 2 / 2 + (- t) ^ 3 / 6) <= (1 + t + t ^ 2) * exp (- t)).
    { apply Rmult_le_compat_l; [assert (0 <= t ^ 2) by apply pow2_ge_0; lra | exact P]. }
    apply (Rmult_le_reg_r (exp (- t))); [apply exp_pos | rewrite M; lra].
Qed.
Lemma exp_both_sides t : exp t * exp (- t) = 1. Proof. rewrite <- exp_plus, Rplus_opp_r; apply exp_0. Qed.
Lemma hyperbolic t : 0 <= t -> exp t - exp (- t) <= t * (exp t + exp (- t)).
Proof.
  intros H. assert (P := rises (fun x => x * (exp x + exp (- x)) - (exp x - exp (- x))) (fun x => x * (exp x - exp (- x))) 0 t).
  cbv beta in P. cut (0 * (exp 0 + exp (- 0)) - (exp 0 - exp (- 0)) <= t * (exp t + exp (- t)) - (exp t - exp (- t))).
  - replace (- 0) with 0 by ring. lra.
  - apply P; [exact H | intros; differentiate |].
    intros x Hx. apply mul_nn; [lra|]. assert (Q := law_exp_monotone (- x) x ltac:(lra)). lra.
Qed.
Lemma cosh_nn t : 0 <= t -> exp t + exp (- t) <= 2 * exp (t ^ 2 / 2).
Proof.
  intros H. assert (P := rises (fun x => - ((exp x + exp (- x)) * exp (- (x * x * / 2))))
    (fun x => (x * (exp x + exp (- x)) - (exp x - exp (- x))) * exp (- (x * x * / 2))) 0 t).
  cbv beta in P.
  cut (- ((exp 0 + exp (- 0)) * exp (- (0 * 0 * / 2))) <= - ((exp t + exp (- t)) * exp (- (t * t * / 2)))).
  - replace (- (0 * 0 * / 2)) with 0 by ring. replace (- 0) with 0 by ring. rewrite exp_0. intros Q.
    assert (M := exp_both_sides (t * t * / 2)). replace (t ^ 2 / 2) with (t * t * / 2) by field.
    apply (Rmult_le_reg_r (exp (- (t * t * / 2)))); [apply exp_pos|].
    rewrite (Rmult_assoc 2 _ _), M. lra.
  - apply P; [exact H | intros; differentiate; field |].
    intros x Hx. assert (Q := hyperbolic x ltac:(lra)). apply mul_nn; [lra | left; apply exp_pos].
Qed.
Lemma law_exp_cosh t : exp t + exp (- t) <= 2 * exp (t ^ 2 / 2).
Proof.
  destruct (Rle_or_lt 0 t) as [N|N]; [apply cosh_nn, N|]. assert (P := cosh_nn (- t) ltac:(lra)).
  rewrite Ropp_involutive in P. replace ((- t) ^ 2 / 2) with (t ^ 2 / 2) in P by field. lra.
Qed.
Lemma law_exp_convex p r s t : p >= 0 -> p <= 1 -> r = p * s + (1 - p) * t -> exp r <= p * exp s + (1 - p) * exp t.
Proof.
  intros P Q E. assert (T : forall x, exp r * (1 + (x - r)) <= exp x).
  { intros x. replace (exp x) with (exp r * exp (x - r)) by (rewrite <- exp_plus; f_equal; ring).
    apply Rmult_le_compat_l; [left; apply exp_pos | apply Rge_le, law_exp_tangent]. }
  assert (A := Rmult_le_compat_l p _ _ (Rge_le _ _ P) (T s)).
  assert (B := Rmult_le_compat_l (1 - p) _ _ ltac:(lra) (T t)).
  apply Rle_trans with (p * (exp r * (1 + (s - r))) + (1 - p) * (exp r * (1 + (t - r)))); [|lra].
  apply Req_le. replace (p * (exp r * (1 + (s - r))) + (1 - p) * (exp r * (1 + (t - r))))
    with (exp r * (1 + (p * s + (1 - p) * t - r))) by ring. rewrite <- E. ring.
Qed.
Lemma law_log_parabola t : t >= 0 -> 0 < 1 + t /\ ln (1 + t) >= t - t ^ 2 / 2.
Proof.
  intros H. split; [lra|]. assert (P := rises (fun x => ln (1 + x) - x + x * x * / 2) (fun x => x * x * / (1 + x)) 0 t).
  cbv beta in P. cut (ln (1 + 0) - 0 + 0 * 0 * / 2 <= ln (1 + t) - t + t * t * / 2); [rewrite Rplus_0_r, ln_1; lra|].
  apply P; [lra | intros; differentiate; field; lra |].
  intros x Hx. apply mul_nn; [apply mul_nn; lra | left; apply Rinv_0_lt_compat; lra].
Qed.
Lemma law_log_exp t : 0 < exp t /\ ln (exp t) = t. Proof. split; [apply exp_pos | apply ln_exp]. Qed.
Lemma law_sin_sum r s t : r = s + t -> sin r = sin s * cos t + cos s * sin t. Proof. intros ->; apply sin_plus. Qed.
Lemma law_cos_sum r s t : r = s + t -> cos r = cos s * cos t - sin s * sin t. Proof. intros ->; apply cos_plus. Qed.
Lemma law_sin_zero t : t = 0 -> sin t = 0. Proof. intros ->; apply sin_0. Qed.
Lemma law_cos_zero t : t = 0 -> cos t = 1. Proof. intros ->; apply cos_0. Qed.
Lemma law_sin_tangent t : t >= 0 -> sin t <= t.
Proof.
  intros H. assert (P := rises (fun x => x - sin x) (fun x => 1 - cos x) 0 t). cbv beta in P.
  cut (0 - sin 0 <= t - sin t); [rewrite sin_0; lra|].
  apply P; [lra | intros; differentiate | intros x _; assert (Q := COS_bound x); lra].
Qed.
Lemma cos_nn t : t >= 0 -> cos t >= 1 - t ^ 2 / 2.
Proof.
  intros H. assert (P := rises (fun x => cos x - 1 + x * x * / 2) (fun x => x - sin x) 0 t). cbv beta in P.
  cut (cos 0 - 1 + 0 * 0 * / 2 <= cos t - 1 + t * t * / 2); [rewrite cos_0; lra|].
  apply P; [lra | intros; differentiate; field | intros x Hx; assert (Q := law_sin_tangent x ltac:(lra)); lra].
Qed.
Lemma law_cos_parabola t : cos t >= 1 - t ^ 2 / 2.
Proof.
  destruct (Rle_or_lt 0 t) as [N|N]; [apply cos_nn; lra|]. assert (P := cos_nn (- t) ltac:(lra)).
  rewrite cos_neg in P. replace ((- t) ^ 2 / 2) with (t ^ 2 / 2) in P by field. exact P.
Qed.
