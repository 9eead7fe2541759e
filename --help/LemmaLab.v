(** LemmaLab.v: what the exported theorems rest on. Finite sums, expectations, small matrices, matrices of every
    size, laws of exp and ln. Everything is proved from Coq's own reals: no axiom and no Admitted stands here. *)

Require Export Reals Lra Lia ZArith List.
Export ListNotations.
Open Scope R_scope.

Coercion INR : nat >-> R.
Coercion IZR : Z >-> R.

(** * Signs *)

Lemma add_nn a b : 0 <= a -> 0 <= b -> 0 <= a + b. Proof. lra. Qed.
Lemma add_pn a b : 0 < a -> 0 <= b -> 0 < a + b. Proof. lra. Qed.
Lemma mul_nn a b : 0 <= a -> 0 <= b -> 0 <= a * b. Proof. apply Rmult_le_pos. Qed.
Lemma mul_pp a b : 0 < a -> 0 < b -> 0 < a * b. Proof. apply Rmult_lt_0_compat. Qed.
Lemma pow_nn a n : 0 <= a -> 0 <= a ^ n. Proof. apply pow_le. Qed.
Lemma pow_pp a n : 0 < a -> 0 < a ^ n. Proof. apply pow_lt. Qed.
Lemma sq_nn a : 0 <= a ^ 2. Proof. apply pow2_ge_0. Qed.
Lemma pos_nn a : 0 < a -> 0 <= a. Proof. lra. Qed.
Lemma pos_nz a : 0 < a -> a <> 0. Proof. lra. Qed.
Lemma neg_nz a : a < 0 -> a <> 0. Proof. lra. Qed.
Lemma mul_nz a b : a <> 0 -> b <> 0 -> a * b <> 0. Proof. apply Rmult_integral_contrapositive_currified. Qed.
Lemma div_nz a b : a <> 0 -> b <> 0 -> a / b <> 0.
Proof. intros; apply mul_nz; auto; apply Rinv_neq_0_compat; auto. Qed.
Lemma pow_nz a n : a <> 0 -> a ^ n <> 0. Proof. apply pow_nonzero. Qed.
Lemma opp_nz a : a <> 0 -> - a <> 0. Proof. lra. Qed.
Lemma eq_nz a b : a = b -> b <> 0 -> a <> 0. Proof. congruence. Qed.
Lemma factor_nz d f g : d <> 0 -> d = f * g -> f <> 0. Proof. intros H E Hf; apply H; rewrite E, Hf; ring. Qed.

(** A relation as a difference d = right - left with its sign: what products of facts are made of. *)
Lemma diff_le l r : l <= r -> exists d, d = r - l /\ 0 <= d. Proof. exists (r - l); lra. Qed.
Lemma diff_lt l r : l < r -> exists d, d = r - l /\ 0 < d. Proof. exists (r - l); lra. Qed.
Lemma diff_ge l r : l >= r -> exists d, d = l - r /\ 0 <= d. Proof. exists (l - r); lra. Qed.
Lemma diff_gt l r : l > r -> exists d, d = l - r /\ 0 < d. Proof. exists (l - r); lra. Qed.
Lemma diff_eq l r : l = r -> exists d, d = l - r /\ d = 0. Proof. exists (l - r); lra. Qed.

Lemma slack_ge a : a >= 0 -> exists s, s = a /\ 0 <= s. Proof. exists a; lra. Qed.
Lemma slack_gt a : a > 0 -> exists s, s = a /\ 0 < s. Proof. exists a; lra. Qed.
Lemma le_nn l r : l <= r -> 0 <= r - l. Proof. lra. Qed.
Lemma lt_pp l r : l < r -> 0 < r - l. Proof. lra. Qed.
Lemma ge_nn l r : l >= r -> 0 <= l - r. Proof. lra. Qed.
Lemma gt_pp l r : l > r -> 0 < l - r. Proof. lra. Qed.
Lemma ne_diff l r : l <> r -> l - r <> 0. Proof. lra. Qed.
Lemma eq_pos a b : a = b -> 0 < b -> 0 < a. Proof. congruence. Qed.
Lemma eq_nn a b : a = b -> 0 <= b -> 0 <= a. Proof. congruence. Qed.
Lemma opp_pos_nz a : 0 < - a -> a <> 0. Proof. lra. Qed.

(** m * (r - l) = t with m > 0 and t >= 0 gives l <= r, and so on. *)
Lemma cone_le m t l r : 0 < m -> m * (r - l) = t -> 0 <= t -> l <= r.
Proof. intros Hm E Ht; subst; apply Rnot_lt_le; intro H; assert (0 < m * (l - r)) by (apply mul_pp; lra); lra. Qed.
Lemma cone_lt m t l r : 0 < m -> m * (r - l) = t -> 0 < t -> l < r.
Proof. intros Hm E Ht; subst; apply Rnot_le_lt; intro H; assert (0 <= m * (l - r)) by (apply mul_nn; lra); lra. Qed.
Lemma cone_ge m t l r : 0 < m -> m * (l - r) = t -> 0 <= t -> l >= r.
Proof. intros Hm E Ht; exact (Rle_ge _ _ (cone_le m t r l Hm E Ht)). Qed.
Lemma cone_gt m t l r : 0 < m -> m * (l - r) = t -> 0 < t -> l > r.
Proof. intros Hm E Ht; exact (cone_lt m t r l Hm E Ht). Qed.
Lemma zero_eq l r t : l - r = t -> t = 0 -> l = r. Proof. lra. Qed.
Lemma nn_nz_pos a : 0 <= a -> a <> 0 -> 0 < a. Proof. lra. Qed.

(** a x - b = d gives the sign of x. *)
Lemma read_nn a b d x : 0 < a -> 0 <= b -> a * x - b = d -> 0 <= d -> 0 <= x.
Proof. intros; apply (Rmult_le_reg_l a); lra. Qed.
Lemma read_pp a b d x : 0 < a -> 0 <= b -> a * x - b = d -> 0 < d -> 0 < x.
Proof. intros; apply (Rmult_lt_reg_l a); lra. Qed.
Lemma read_np a b d x : 0 < a -> 0 < b -> a * x - b = d -> 0 <= d -> 0 < x.
Proof. intros; apply (Rmult_lt_reg_l a); lra. Qed.
Lemma scale_pos c d x : 0 < c -> x = c * d -> 0 < d -> 0 < x. Proof. intros; subst; apply mul_pp; auto. Qed.
Lemma scale_neg c d x : 0 < c -> - x = c * d -> 0 < d -> x < 0.
Proof. intros Hc E Hd; assert (0 < - x) by (rewrite E; apply mul_pp; auto); lra. Qed.
Lemma opp_neg x y : - x = y -> 0 < y -> x < 0. Proof. lra. Qed.
Lemma INR_nn (n : nat) : n >= 0. Proof. apply Rle_ge, pos_INR. Qed.

(** Structural: a sum of products of powers of what is known; no search. *)
Ltac num := solve [lra].
Ltac pp :=
  lazymatch goal with
  | |- 0 < _ * _ => apply mul_pp; pp
  | |- 0 < _ ^ _ => first [assumption | apply pow_pp; pp]
  | |- 0 < _ + _ => apply add_pn; [pp | nn]
  | |- 0 < / _ => apply Rinv_0_lt_compat; pp
  | |- 0 < IZR _ => num
  | |- 0 < _ / _ => first [assumption | num]
  | _ => assumption
  end
with nn :=
  lazymatch goal with
  | |- 0 <= _ + _ => apply add_nn; nn
  | |- 0 <= _ * _ => apply mul_nn; nn
  | |- 0 <= _ ^ 2 => apply sq_nn
  | |- 0 <= _ ^ _ => first [assumption | apply pow_nn; nn]
  | |- 0 <= / _ => apply Rlt_le, Rinv_0_lt_compat; pp
  | |- 0 <= IZR _ => num
  | |- 0 <= _ / _ => first [assumption | num]
  | _ => first [assumption | apply pos_nn; assumption]
  end.
Ltac nz :=
  lazymatch goal with
  | |- _ * _ <> 0 => first [assumption | apply mul_nz; nz]
  | |- _ / _ <> 0 => first [assumption | apply div_nz; nz]
  | |- _ ^ _ <> 0 => first [assumption | apply pow_nz; nz]
  | |- - _ <> 0 => first [assumption | apply opp_nz; nz]
  | |- IZR _ <> 0 => num
  | _ => first [assumption | apply pos_nz; assumption | apply neg_nz; assumption | num]
  end.
Ltac nz_as t := lazymatch goal with |- ?e <> 0 => apply (eq_nz e t); [ring | nz] end.

(** * Finite sums and expectations are positive linear functionals *)

Record functional {A : Type} (D : A -> Prop) (F : (A -> R) -> R) : Prop := {
  f_lin : forall c f g, F (fun a => c * f a + g a) = c * F f + F g;
  f_pos : forall f, (forall a, D a -> 0 <= f a) -> 0 <= F f }.

Lemma f_mono {A D F} (H : @functional A D F) f g : (forall a, D a -> f a <= g a) -> F f <= F g.
Proof.
  intros L. assert (P : 0 <= F (fun a => (-1) * f a + g a)).
  { apply (f_pos _ _ H). intros a Ha. specialize (L a Ha). lra. }
  rewrite (f_lin _ _ H) in P. lra.
Qed.
Lemma f_ext {A D F} (H : @functional A D F) f g : (forall a, D a -> f a = g a) -> F f = F g.
Proof. intros L. apply Rle_antisym; apply (f_mono H); intros a Ha; rewrite (L a Ha); lra. Qed.
Lemma f_zero {A D F} (H : @functional A D F) : F (fun _ => 0) = 0.
Proof.
  assert (P := f_lin _ _ H (-1) (fun _ => 0) (fun _ => 0)). cbv beta in P.
  rewrite (f_ext H (fun _ => -1 * 0 + 0) (fun _ => 0)) in P by (intros; ring). lra.
Qed.

Fixpoint lin {A : Type} (l : list (R * (A -> R))) (a : A) : R :=
  match l with [] => 0 | (c, f) :: t => c * f a + lin t a end.
Fixpoint lins {A : Type} (F : (A -> R) -> R) (l : list (R * (A -> R))) : R :=
  match l with [] => 0 | (c, f) :: t => c * F f + lins F t end.
Lemma f_open {A D F} (H : @functional A D F) f l : (forall a, D a -> f a = lin l a) -> F f = lins F l.
Proof.
  intros E. rewrite (f_ext H f (lin l) E). clear E. induction l as [|(c, g) l IH]; simpl.
  - apply (f_zero H).
  - rewrite (f_lin _ _ H c g (lin l)), IH. reflexivity.
Qed.

Fixpoint nsum (n : nat) (f : nat -> R) : R := match n with O => 0 | S m => nsum m f + f m end.
Lemma nsum_ext n f g : (forall k, (k < n)%nat -> f k = g k) -> nsum n f = nsum n g.
Proof. induction n; simpl; intros E; [reflexivity|]. rewrite IHn, E; auto with arith. Qed.
Lemma nsum_lin n c f g : nsum n (fun k => c * f k + g k) = c * nsum n f + nsum n g.
Proof. induction n; simpl; [ring|]. rewrite IHn; ring. Qed.
Lemma nsum_pos n f : (forall k, (k < n)%nat -> 0 <= f k) -> 0 <= nsum n f.
Proof. induction n; simpl; intros E; [lra|]. apply add_nn; auto with arith. Qed.

(** The sum of f i over the integers lo <= i <= hi, zero when there are none. *)
Definition zsum (lo hi : Z) (f : Z -> R) : R := nsum (Z.to_nat (hi - lo + 1)) (fun k => f (lo + Z.of_nat k)%Z).
Definition between (lo hi i : Z) : Prop := (lo <= i <= hi)%Z.

Lemma zsum_functional lo hi : functional (between lo hi) (zsum lo hi).
Proof.
  split; unfold zsum.
  - intros. apply nsum_lin.
  - intros f P. apply nsum_pos. intros k Hk. apply P. unfold between. lia.
Qed.
Lemma zsum_empty lo hi f : (hi < lo)%Z -> zsum lo hi f = 0.
Proof. intros. unfold zsum. replace (Z.to_nat (hi - lo + 1)) with O by lia. reflexivity. Qed.
Lemma zsum_last lo hi f : (lo <= hi)%Z -> zsum lo hi f = zsum lo (hi - 1) f + f hi.
Proof.
  intros. unfold zsum. replace (Z.to_nat (hi - lo + 1)) with (S (Z.to_nat (hi - 1 - lo + 1))) by lia.
  simpl. f_equal. f_equal. lia.
Qed.
Lemma zsum_first lo hi f : (lo <= hi)%Z -> zsum lo hi f = f lo + zsum (lo + 1) hi f.
Proof.
  intros. unfold zsum. replace (Z.to_nat (hi - lo + 1)) with (S (Z.to_nat (hi - (lo + 1) + 1))) by lia.
  induction (Z.to_nat (hi - (lo + 1) + 1)) as [|n IH].
  - simpl. replace (lo + 0)%Z with lo by lia. ring.
  - change (nsum (S (S n)) ?g) with (nsum (S n) g + g (S n)). rewrite IH. simpl.
    replace (lo + Z.of_nat (S n))%Z with (lo + 1 + Z.of_nat n)%Z by lia.
    replace (lo + Z.pos (Pos.of_succ_nat n))%Z with (lo + 1 + Z.of_nat n)%Z by lia. ring.
Qed.

(** G (hi + 1) - G lo is the sum of the differences G (i + 1) - G i. *)
Lemma telescope lo hi G : (lo <= hi + 1)%Z -> zsum lo hi (fun i => G (i + 1)%Z - G i) = G (hi + 1)%Z - G lo.
Proof.
  intros L. unfold zsum.
  assert (P : forall n, nsum n (fun k => G (lo + Z.of_nat k + 1)%Z - G (lo + Z.of_nat k)%Z) = G (lo + Z.of_nat n)%Z - G lo).
  { induction n as [|n IH].
    - simpl. replace (lo + 0)%Z with lo by lia. ring.
    - cbn [nsum]. rewrite IH. replace (lo + Z.of_nat n + 1)%Z with (lo + Z.of_nat (S n))%Z by lia. ring. }
  rewrite P. do 2 f_equal. lia.
Qed.
Lemma telescope_le lo hi f G : (lo <= hi + 1)%Z ->
  (forall i, between lo hi i -> f i <= G (i + 1)%Z - G i) -> zsum lo hi f <= G (hi + 1)%Z - G lo.
Proof. intros L P. rewrite <- (telescope lo hi G L). apply (f_mono (zsum_functional lo hi)), P. Qed.
Lemma telescope_ge lo hi f G : (lo <= hi + 1)%Z ->
  (forall i, between lo hi i -> f i >= G (i + 1)%Z - G i) -> zsum lo hi f >= G (hi + 1)%Z - G lo.
Proof.
  intros L P. rewrite <- (telescope lo hi G L). apply Rle_ge, (f_mono (zsum_functional lo hi)).
  intros i Hi. apply Rge_le, P, Hi.
Qed.
Lemma telescope_eq lo hi f G : (lo <= hi + 1)%Z ->
  (forall i, between lo hi i -> f i = G (i + 1)%Z - G i) -> zsum lo hi f = G (hi + 1)%Z - G lo.
Proof. intros L P. rewrite <- (telescope lo hi G L). apply (f_ext (zsum_functional lo hi)), P. Qed.

Global Opaque zsum.

(** lo <= i <= hi between integers, read as reals. *)
Lemma INR_IZR n : INR n = IZR (Z.of_nat n). Proof. apply INR_IZR_INZ. Qed.
Ltac reals_of_integers := rewrite ?INR_IZR, ?Z2Nat.id by lia.
Ltac index_facts H :=
  unfold between in H; rewrite ?INR_IZR; rewrite <- ?plus_IZR, <- ?minus_IZR, <- ?mult_IZR, <- ?opp_IZR;
  first [apply Rle_ge, IZR_le; lia | apply IZR_le; lia].

(** An expectation: any positive linear functional that maps 1 to 1. *)
Definition always {A : Type} (_ : A) : Prop := True.
Record expectation {Omega : Type} (E : (Omega -> R) -> R) : Prop := {
  e_functional : functional always E;
  e_one : E (fun _ => 1) = 1 }.

(** Finite probability spaces are a model: the outcomes are 0, 1, 2, … with the weights of a list. *)
Fixpoint finite_mean (p : list R) (f : nat -> R) : R :=
  match p with [] => 0 | q :: t => q * f O + finite_mean t (fun k => f (S k)) end.
Fixpoint total (p : list R) : R := match p with [] => 0 | q :: t => q + total t end.
Lemma finite_mean_expectation p : Forall (fun q => 0 <= q) p -> total p = 1 -> expectation (finite_mean p).
Proof.
  intros P T. split; [split|].
  - clear. induction p as [|q p IH]; simpl; intros c f g; [ring|].
    rewrite (IH c (fun k => f (S k)) (fun k => g (S k))). ring.
  - clear T. intros f Pf. assert (Q : forall k, 0 <= f k) by (intro k; apply Pf; exact I). clear Pf. revert f Q.
    induction P as [|q p Pq P IH]; simpl; intros f Q; [lra|].
    apply add_nn; [apply mul_nn; auto | apply IH; intro; apply Q].
  - transitivity (total p); [clear | exact T]. induction p as [|q p IH]; simpl; [reflexivity|]. rewrite IH. ring.
Qed.

(** * Small matrices, row by row: what [[a, b], [c, d]] @ [x, y] means in a claim *)

Section Rows.
  Context {A : Type} (zero : A) (add mul : A -> A -> A).
  Definition col (l : list A) : list (list A) := map (fun x => [x]) l.
  Definition dot (r c : list A) : A :=
    match combine r c with [] => zero | (x, y) :: t => fold_left (fun s p => add s (mul (fst p) (snd p))) t (mul x y) end.
  Fixpoint transpose (m : list (list A)) : list (list A) :=
    match m with
    | [] => []
    | [r] => map (fun x => [x]) r
    | r :: t => map (fun p => fst p :: snd p) (combine r (transpose t))
    end.
  Definition gmul (x y : list (list A)) : list (list A) := map (fun r => map (dot r) (transpose y)) x.
  Definition gzip (f : A -> A -> A) (x y : list (list A)) : list (list A) :=
    map (fun p => map (fun q => f (fst q) (snd q)) (combine (fst p) (snd p))) (combine x y).
  Definition gmap (f : A -> A) (x : list (list A)) : list (list A) := map (map f) x.
  Definition gentry (x : list (list A)) (i j : nat) : A := nth (pred j) (nth (pred i) x []) zero.
  Definition grow (x : list (list A)) (i : nat) : list (list A) := col (nth (pred i) x []).
End Rows.

Definition entry := gentry 0.
Definition row (x : list (list R)) (i : nat) := grow x i.
Definition mmul := gmul 0 Rplus Rmult.
Definition madd := gzip Rplus.
Definition msub := gzip Rminus.
Definition mopp := gmap Ropp.
Definition mscale (c : R) := gmap (Rmult c).
Definition mscale_r (x : list (list R)) (c : R) := gmap (fun a => a * c) x.
Definition mdiv (x : list (list R)) (c : R) := gmap (fun a => a / c) x.
Definition mtr (x : list (list R)) : R :=
  match seq 1 (length x) with [] => 0 | i :: t => fold_left (fun s k => s + entry x k k) t (entry x i i) end.
Definition unit_row (n i : nat) : list R := map (fun j => if Nat.eqb i j then 1 else 0) (seq 0 n).
Definition munit (n : nat) : list (list R) := map (unit_row n) (seq 0 n).
Fixpoint mpow (x : list (list R)) (n : nat) : list (list R) :=
  match n with O => munit (length x) | S m => mmul (mpow x m) x end.
Definition det2 (x : list (list R)) : R := entry x 1 1 * entry x 2 2 - entry x 1 2 * entry x 2 1.
Definition inv2 (x : list (list R)) : list (list R) :=
  [[entry x 2 2 / det2 x; - entry x 1 2 / det2 x]; [- entry x 2 1 / det2 x; entry x 1 1 / det2 x]].

Lemma cons_eq {A : Type} {a b : A} {l m : list A} : a = b -> l = m -> a :: l = b :: m. Proof. congruence. Qed.

Ltac small := cbv [entry row mmul madd msub mopp mscale mscale_r mdiv mtr mpow munit unit_row det2 inv2 col dot transpose gmul gzip
  gmap gentry grow map combine fold_left nth pred seq length fst snd Nat.eqb] in *.

(** * Laws of exp, ln, sin and cos *)

Lemma law_exp_positive t : exp t > 0. Proof. apply exp_pos. Qed.
Lemma law_exp_tangent t : exp t >= 1 + t.
Proof. destruct (Req_dec t 0) as [->|H]; [rewrite exp_0; lra | apply Rle_ge, Rlt_le, exp_ineq1, H]. Qed.
Lemma law_exp_monotone s t : s <= t -> exp s <= exp t.
Proof. intros [H| ->]; [apply Rlt_le, exp_increasing, H | lra]. Qed.
Lemma law_exp_zero t : t = 0 -> exp t = 1. Proof. intros ->; apply exp_0. Qed.
Lemma law_exp_inverse s t : s + t = 0 -> exp s * exp t = 1. Proof. intros H; rewrite <- exp_plus, H; apply exp_0. Qed.
Lemma law_exp_sum r s t : r = s + t -> exp r = exp s * exp t. Proof. intros ->; apply exp_plus. Qed.
Lemma law_exp_multiple (n : nat) s t : s = n * t -> exp s = exp t ^ n.
Proof.
  intros ->. induction n as [|n IH]; [simpl; rewrite Rmult_0_l; apply exp_0|].
  rewrite S_INR, Rmult_plus_distr_r, exp_plus, IH, Rmult_1_l. simpl. ring.
Qed.
Lemma law_exp_log t : t > 0 -> 0 < t /\ exp (ln t) = t. Proof. intros H; split; [exact H | apply exp_ln, H]. Qed.
Lemma law_log_tangent t : t > 0 -> 0 < t /\ ln t <= t - 1.
Proof. intros H; split; [exact H|]. assert (P := law_exp_tangent (ln t)). rewrite exp_ln in P; lra. Qed.
Lemma law_log_monotone s t : s > 0 -> s <= t -> 0 < s /\ 0 < t /\ ln s <= ln t.
Proof. intros H [L| ->]; repeat split; try lra. apply Rlt_le, ln_increasing; lra. Qed.
Lemma law_log_inverse s t : s > 0 -> t > 0 -> s * t = 1 -> 0 < s /\ 0 < t /\ ln s = - ln t.
Proof. intros P Q H; repeat split; auto. assert (K := ln_mult s t P Q). rewrite H, ln_1 in K. lra. Qed.
Lemma law_log_product r s t : s > 0 -> t > 0 -> r = s * t -> 0 < r /\ 0 < s /\ 0 < t /\ ln r = ln s + ln t.
Proof. intros P Q ->; repeat split; auto; [apply mul_pp; auto | apply ln_mult; auto]. Qed.
Lemma law_circle t : sin t ^ 2 + cos t ^ 2 = 1.
Proof. assert (P := sin2_cos2 t). unfold Rsqr in P. rewrite <- P. ring. Qed.

(** * Cases and roots *)

Lemma case_le p : p >= 0 \/ p <= 0. Proof. lra. Qed.
Lemma case_lt p : p >= 0 \/ p < 0. Proof. lra. Qed.
Ltac extremes := unfold Rmax, Rmin, Rabs; repeat (destruct (Rle_dec _ _)); repeat (destruct (Rcase_abs _)); lra.
Lemma root_named a : 0 <= a -> exists r, sqrt a = r /\ r >= 0 /\ r ^ 2 = a.
Proof.
  intros H. exists (sqrt a). repeat split; [apply Rle_ge, sqrt_pos|].
  replace (sqrt a ^ 2) with (sqrt a * sqrt a) by ring. apply sqrt_sqrt, H.
Qed.

(** Counts such as p + 2, read as reals and as integers. *)
Lemma INR_literal (n : nat) (z : Z) : Z.of_nat n = z -> INR n = IZR z.
Proof. intros <-. apply INR_IZR_INZ. Qed.
Ltac literal_in H := repeat match type of H with
  | context [INR ?n] => let z := eval cbv in (Z.of_nat n) in
      lazymatch z with Z0 => idtac | Zpos _ => idtac end; rewrite (INR_literal n z eq_refl) in H
  end.
Ltac of_nat_in H := repeat match type of H with
  | context [Z.of_nat ?n] => let z := eval cbv in (Z.of_nat n) in
      lazymatch z with Z0 => idtac | Zpos _ => idtac end; change (Z.of_nat n) with z in H
  end.
Tactic Notation "count" "in" hyp(H) :=
  rewrite ?plus_INR, ?mult_INR, ?Nat2Z.inj_add, ?Nat2Z.inj_mul in H; literal_in H; of_nat_in H.

(** * Inductions and telescopes *)

Lemma iter_S {A} n (f : A -> A) x : Nat.iter (S n) f x = f (Nat.iter n f x). Proof. reflexivity. Qed.
Lemma pow_S x n : x ^ S n = x * x ^ n. Proof. reflexivity. Qed.
Ltac next_state H := first [rewrite iter_S, H | rewrite pow_S, H]; reflexivity.
Ltac next_count :=
  rewrite ?S_INR, ?Nat2Z.inj_succ; unfold Z.succ;
  repeat match goal with |- context [_ ^ (S ?n)] => rewrite <- (Nat.add_1_r n) end.
Ltac push_casts :=
  rewrite ?plus_IZR, ?minus_IZR, ?mult_IZR, ?opp_IZR, <- ?INR_IZR_INZ; rewrite ?Z2Nat.inj_add by lia;
  repeat change (Z.to_nat 1) with 1%nat.
Ltac long_enough H :=
  apply le_IZR; rewrite ?plus_IZR, ?minus_IZR, ?mult_IZR, ?opp_IZR, <- ?INR_IZR_INZ; lra.
Ltac same_values := first [reflexivity | ring | repeat (f_equal; try ring; try lia)].
Ltac same_by_casts := cbv beta; push_casts; lazymatch goal with
  | |- _ <= _ => apply Req_le; same_values
  | |- _ >= _ => apply Req_ge; same_values
  | |- _ => same_values
  end.
Ltac finish_telescope H := lazymatch type of H with
  | ?s <= ?d => apply Rle_trans with (2 := Req_le _ _ eq_refl); first
      [ eapply Rle_trans; [exact H | same_by_casts]
      | eapply Rle_trans; [repeat apply Rplus_le_compat_l; exact H | same_by_casts] ]
  | ?s >= ?d => first
      [ eapply Rge_trans; [exact H | same_by_casts]
      | eapply Rge_trans; [repeat apply Rplus_ge_compat_l; exact H | same_by_casts] ]
  | _ => first [eapply eq_trans; [exact H | same_by_casts] | rewrite H; same_by_casts]
  end.

(** * Closed terms: computed in the rationals, for refutations at a point *)

Require Import QArith Qreals.
Open Scope R_scope.
Inductive closed :=
  | CZ (z : Z) | CAdd (a b : closed) | CMul (a b : closed) | COpp (a : closed) | CInv (a : closed) | CPow (a : closed) (n : nat)
  | CMax (a b : closed) | CMin (a b : closed) | CAbs (a : closed).
Fixpoint closed_val (e : closed) : R :=
  match e with
  | CZ z => IZR z | CAdd a b => closed_val a + closed_val b | CMul a b => closed_val a * closed_val b
  | COpp a => - closed_val a | CInv a => / closed_val a | CPow a n => closed_val a ^ n
  | CMax a b => Rmax (closed_val a) (closed_val b) | CMin a b => Rmin (closed_val a) (closed_val b) | CAbs a => Rabs (closed_val a)
  end.
Fixpoint power_of (q : Q) (n : nat) : Q := match n with O => 1%Q | S m => Qred (q * power_of q m)%Q end.
Definition lift (f : Q -> Q -> Q) (a b : option Q) : option Q :=
  match a, b with Some p, Some q => Some (Qred (f p q)) | _, _ => None end.
Fixpoint closed_q (e : closed) : option Q :=
  match e with
  | CZ z => Some (inject_Z z) | CAdd a b => lift Qplus (closed_q a) (closed_q b) | CMul a b => lift Qmult (closed_q a) (closed_q b)
  | COpp a => match closed_q a with Some p => Some (Qopp p) | None => None end
  | CInv a => match closed_q a with Some p => if Qeq_bool p 0 then None else Some (Qred (/ p)) | None => None end
  | CPow a n => match closed_q a with Some p => Some (power_of p n) | None => None end
  | CMax a b => lift (fun p q => if Qle_bool p q then q else p) (closed_q a) (closed_q b)
  | CMin a b => lift (fun p q => if Qle_bool p q then p else q) (closed_q a) (closed_q b)
  | CAbs a => match closed_q a with Some p => Some (if Qle_bool 0 p then p else Qopp p) | None => None end
  end.
Lemma Q2R_red q : Q2R (Qred q) = Q2R q. Proof. apply Qeq_eqR, Qred_correct. Qed.
Lemma Q2R_IZR z : Q2R (inject_Z z) = IZR z. Proof. unfold Q2R, inject_Z. simpl. field. Qed.
Lemma Qle_bool_false p q : Qle_bool p q = false -> Q2R q < Q2R p.
Proof. intros H. apply Qlt_Rlt. apply Qnot_le_lt. intro L. apply Qle_bool_iff in L. congruence. Qed.
Lemma Q2R_power q n : Q2R (power_of q n) = Q2R q ^ n.
Proof. induction n as [|n IH]; cbn [power_of pow]; [apply (Q2R_IZR 1)|]. rewrite Q2R_red, Q2R_mult, IH. reflexivity. Qed.
Lemma some_eq (p q : Q) : Some p = Some q -> p = q. Proof. congruence. Qed.
Lemma closed_sound e : forall q, closed_q e = Some q -> closed_val e = Q2R q.
Proof.
  induction e; cbn [closed_q closed_val]; intros q H; unfold lift in H.
  all: try (destruct (closed_q e1) as [p1|]; [|discriminate]); try (destruct (closed_q e2) as [p2|]; [|discriminate]).
  all: try (destruct (closed_q e) as [p|]; [|discriminate]).
  all: try (rewrite (IHe1 p1 eq_refl)); try (rewrite (IHe2 p2 eq_refl)); try (rewrite (IHe p eq_refl)).
  - apply some_eq in H; subst q. rewrite Q2R_IZR. reflexivity.
  - apply some_eq in H; subst q. rewrite Q2R_red, Q2R_plus. reflexivity.
  - apply some_eq in H; subst q. rewrite Q2R_red, Q2R_mult. reflexivity.
  - apply some_eq in H; subst q. rewrite Q2R_opp. reflexivity.
  - destruct (Qeq_bool p 0) eqn:Z; [discriminate|]. apply some_eq in H; subst q. rewrite Q2R_red, Q2R_inv; [reflexivity|].
    intro K. apply Qeq_bool_iff in K. congruence.
  - apply some_eq in H; subst q. symmetry. apply Q2R_power.
  - apply some_eq in H; subst q. rewrite Q2R_red. destruct (Qle_bool p1 p2) eqn:L.
    + apply Rmax_right, Qle_Rle, Qle_bool_iff, L. + apply Rmax_left. apply Qle_bool_false in L. lra.
  - apply some_eq in H; subst q. rewrite Q2R_red. destruct (Qle_bool p1 p2) eqn:L.
    + apply Rmin_left, Qle_Rle, Qle_bool_iff, L. + apply Rmin_right. apply Qle_bool_false in L. lra.
  - apply some_eq in H; subst q. destruct (Qle_bool 0 p) eqn:L.
    + apply Rabs_right, Rle_ge. rewrite <- (Q2R_IZR 0). apply Qle_Rle, Qle_bool_iff, L.
    + rewrite Q2R_opp. apply Rabs_left. apply Qle_bool_false in L. assert (Z0 : Q2R 0 = 0) by exact (Q2R_IZR 0). rewrite Z0 in L. exact L.
Qed.
Definition decided (f : Q -> Q -> bool) (a b : closed) : bool :=
  match closed_q a, closed_q b with Some p, Some q => f p q | _, _ => false end.
Lemma closed_le a b : decided Qle_bool a b = true -> closed_val a <= closed_val b.
Proof.
  unfold decided. destruct (closed_q a) as [p|] eqn:P; [|discriminate]. destruct (closed_q b) as [q|] eqn:Q; [|discriminate].
  intros H. rewrite (closed_sound a p P), (closed_sound b q Q). apply Qle_Rle, Qle_bool_iff, H.
Qed.
Lemma closed_lt a b : decided (fun p q => negb (Qle_bool q p)) a b = true -> closed_val a < closed_val b.
Proof.
  unfold decided. destruct (closed_q a) as [p|] eqn:P; [|discriminate]. destruct (closed_q b) as [q|] eqn:Q; [|discriminate].
  intros H. rewrite (closed_sound a p P), (closed_sound b q Q). apply Qle_bool_false. destruct (Qle_bool q p); [discriminate | reflexivity].
Qed.
Lemma closed_eq a b : decided Qeq_bool a b = true -> closed_val a = closed_val b.
Proof.
  unfold decided. destruct (closed_q a) as [p|] eqn:P; [|discriminate]. destruct (closed_q b) as [q|] eqn:Q; [|discriminate].
  intros H. rewrite (closed_sound a p P), (closed_sound b q Q). apply Qeq_eqR, Qeq_bool_iff, H.
Qed.
Lemma closed_ne a b : decided (fun p q => negb (Qeq_bool p q)) a b = true -> closed_val a <> closed_val b.
Proof.
  unfold decided. destruct (closed_q a) as [p|] eqn:P; [|discriminate]. destruct (closed_q b) as [q|] eqn:Q; [|discriminate].
  intros H. rewrite (closed_sound a p P), (closed_sound b q Q). intro K. apply eqR_Qeq, Qeq_bool_iff in K. rewrite K in H. discriminate.
Qed.
Lemma finite_mean_along {A : Type} (g : nat -> A) p :
  expectation (finite_mean p) -> expectation (fun f : A -> R => finite_mean p (fun k => f (g k))).
Proof.
  intros (F & O_). split; [split|].
  - intros c f h. exact (f_lin _ _ F c (fun k => f (g k)) (fun k => h (g k))).
  - intros f P. apply (f_pos _ _ F). intros k _. apply P. exact I.
  - exact O_.
Qed.
Ltac reify t := lazymatch t with
  | ?a + ?b => let x := reify a in let y := reify b in constr:(CAdd x y)
  | ?a * ?b => let x := reify a in let y := reify b in constr:(CMul x y)
  | ?a - ?b => let x := reify a in let y := reify b in constr:(CAdd x (COpp y))
  | ?a / ?b => let x := reify a in let y := reify b in constr:(CMul x (CInv y))
  | - ?a => let x := reify a in constr:(COpp x)
  | / ?a => let x := reify a in constr:(CInv x)
  | ?a ^ ?n => let x := reify a in constr:(CPow x n)
  | Rmax ?a ?b => let x := reify a in let y := reify b in constr:(CMax x y)
  | Rmin ?a ?b => let x := reify a in let y := reify b in constr:(CMin x y)
  | Rabs ?a => let x := reify a in constr:(CAbs x)
  | IZR ?z => constr:(CZ z)
  | R0 => constr:(CZ 0)
  | R1 => constr:(CZ 1)
  end.
Ltac computed := cbv -[Rplus Rmult Ropp Rminus Rinv Rdiv pow IZR INR Rmax Rmin Rabs sqrt exp ln Rle Rlt Rge Rgt not];
  rewrite ?INR_IZR_INZ; cbv [Z.of_nat Pos.of_succ_nat Pos.succ].
Ltac as_closed lemma a b := let x := reify a in let y := reify b in
  apply (lemma x y); vm_compute; reflexivity.
Ltac closed_fact := lazymatch goal with
  | |- ?a <= ?b => as_closed closed_le a b
  | |- ?a < ?b => as_closed closed_lt a b
  | |- ?a >= ?b => apply Rle_ge; as_closed closed_le b a
  | |- ?a > ?b => apply Rlt_gt; as_closed closed_lt b a
  | |- ?a <> ?b => as_closed closed_ne a b
  | |- ?a = ?b :> R => as_closed closed_eq a b
  end.
Ltac compute_fact := computed; first [closed_fact | reflexivity | repeat f_equal; closed_fact].
(** What is claimed of closed terms is false. *)
Ltac compute_false H := revert H; computed; lazymatch goal with
  | |- ?a <= ?b -> _ => apply Rlt_not_le; closed_fact
  | |- ?a < ?b -> _ => apply Rle_not_lt; closed_fact
  | |- ?a >= ?b -> _ => apply Rlt_not_ge; closed_fact
  | |- ?a > ?b -> _ => apply Rle_not_gt; closed_fact
  | |- ?a <> ?b -> _ => intro H; apply H; closed_fact
  | |- @eq R ?a ?b -> _ => change (a <> b); closed_fact
  | |- _ = _ -> _ => intro H; injection H; intros; entry_false
  end
with entry_false := match goal with K : @eq R ?a ?b |- False => revert K; change (a <> b); closed_fact end.
