(** Spectrum.v: a symmetric matrix has an orthonormal basis of eigenvectors; sequences exist that a recursion defines.

    The largest eigenvalue is the least c with b below c times the identity (completeness of the reals): were c I - b
    positive definite, elimination would give a smaller c. The others follow in the complement of those found. *)

Require Export LemmaLab.Forms.
Require Import FunctionalExtensionality Classical_Prop.

Definition vec := nat -> R.
Definition dotp (n : nat) (x y : vec) : R := nsum n (fun i => x i * y i).
Definition app (n : nat) (b : mat) (x : vec) : vec := fun i => nsum n (fun j => b i j * x j).
Definition sym_ (b : mat) : Prop := forall i j, b i j = b j i.
Definition shifted (b : mat) (c : R) : mat := fun i j => b i j - (if Nat.eqb i j then c else 0).

Lemma dot_nn n x : 0 <= dotp n x x. Proof. apply nsum_pos. intros. apply Rle_0_sqr. Qed.
Lemma quad_dot n b x : quad n b x = dotp n x (app n b x).
Proof. apply nsum_ext. intros i _. unfold app. rewrite <- nsum_scale. apply nsum_ext. intros; ring. Qed.
Lemma quad_shift n b c x : quad n (shifted b c) x = quad n b x - c * dotp n x x.
Proof.
  unfold quad, dotp. rewrite <- nsum_scale.
  transitivity (nsum n (fun i => (-1) * (c * (x i * x i)) + nsum n (fun j => x i * b i j * x j))); [|rewrite nsum_lin; ring].
  apply nsum_ext. intros i I.
  transitivity (nsum n (fun j => (- c * x i) * (one i j * x j) + x i * b i j * x j)).
  - apply nsum_ext. intros j _. unfold shifted, one. destruct (Nat.eqb i j); ring.
  - rewrite nsum_lin, (nsum_pick n i x I). ring.
Qed.
Lemma cauchy n x y : (dotp n x y) ^ 2 <= dotp n x x * dotp n y y.
Proof.
  assert (P : forall t, 0 <= dotp n x x * t ^ 2 + 2 * t * dotp n x y + dotp n y y).
  { intros t. assert (G := dot_nn n (fun i => t * x i + y i)).
    replace (dotp n (fun i => t * x i + y i) (fun i => t * x i + y i)) with (dotp n x x * t ^ 2 + 2 * t * dotp n x y + dotp n y y) in G; [exact G|].
    unfold dotp. rewrite <- nsum_scale_r. 
    rewrite (nsum_ext n (fun i => (t * x i + y i) * (t * x i + y i)) (fun i => 1 * (x i * x i * t ^ 2) + ((2 * t) * (x i * y i) + y i * y i))) by (intros; ring).
    rewrite nsum_lin, nsum_lin. ring. }
  destruct (Rle_lt_or_eq_dec _ _ (dot_nn n x)) as [Q|Q].
  - specialize (P (- dotp n x y / dotp n x x)).
    replace (dotp n x x * (- dotp n x y / dotp n x x) ^ 2 + 2 * (- dotp n x y / dotp n x x) * dotp n x y + dotp n y y)
      with (dotp n y y - dotp n x y ^ 2 / dotp n x x) in P by (field; lra).
    apply (Rmult_le_compat_l (dotp n x x)) in P; [|lra].
    replace (dotp n x x * (dotp n y y - dotp n x y ^ 2 / dotp n x x)) with (dotp n x x * dotp n y y - dotp n x y ^ 2) in P by (field; lra). lra.
  - rewrite <- Q. destruct (Req_dec (dotp n x y) 0) as [->|D]; [ring_simplify; lra|]. exfalso. rewrite <- Q in P.
    specialize (P (- (dotp n y y + 1) / (2 * dotp n x y))).
    replace (0 * (- (dotp n y y + 1) / (2 * dotp n x y)) ^ 2 + 2 * (- (dotp n y y + 1) / (2 * dotp n x y)) * dotp n x y + dotp n y y) with (-1) in P by (field; auto).
    lra.
Qed.

(** A nonnegative matrix has a null vector, or stays nonnegative when a little of the identity is taken away. *)
Lemma dichotomy n : forall b, sym_ b -> (forall x, 0 <= quad n b x) ->
  (exists x, 0 < dotp n x x /\ forall i, (i < n)%nat -> app n b x i = 0) \/ (exists e, 0 < e /\ forall x, e * dotp n x x <= quad n b x).
Proof.
  induction n as [|n IH]; intros b Y P.
  { right. exists 1. split; [lra|]. intros x. unfold dotp, quad; simpl. lra. }
  assert (QS := fun x => quad_S n b x (fun i => Y i n)).
  assert (Q : forall x t, 0 <= quad n b x + 2 * t * nsum n (fun i => x i * b i n) + t * b n n * t).
  { intros x t. specialize (P (fun k => if Nat.eqb k n then t else x k)). rewrite QS in P. rewrite Nat.eqb_refl in P.
    rewrite (nsum_ext n (fun i => (if Nat.eqb i n then t else x i) * b i n) (fun i => x i * b i n)) in P.
    - replace (quad n b (fun k => if Nat.eqb k n then t else x k)) with (quad n b x) in P; [exact P|].
      unfold quad. apply nsum_ext; intros i I. apply nsum_ext; intros j J.
      destruct (Nat.eqb_spec i n), (Nat.eqb_spec j n); try lia; reflexivity.
    - intros i I. destruct (Nat.eqb_spec i n); [lia|reflexivity]. }
  assert (N : 0 <= b n n).
  { specialize (Q (fun _ => 0) 1). unfold quad in Q.
    rewrite (nsum_all0 n (fun i => 0 * b i n)) in Q by (intros; ring).
    rewrite (nsum_all0 n (fun i => nsum n _)) in Q by (intros; apply nsum_all0; intros; ring). lra. }
  set (s := fun x : vec => nsum n (fun i => x i * b i n)).
  destruct (Rle_lt_or_eq_dec _ _ N) as [N'|N'].
  - set (b' := fun i j => b i j - b i n * b j n / b n n).
    assert (QB : forall x, quad n b' x = quad n b x - s x * s x / b n n).
    { intros x. unfold quad, b'. assert (G : nsum n (fun i => nsum n (fun j => x i * b i n * (x j * b j n) / b n n)) = s x * s x / b n n).
      { rewrite (nsum_ext n _ (fun i => x i * b i n * (s x / b n n))).
        - rewrite nsum_scale_r. fold (s x). field. lra.
        - intros i _. unfold s. rewrite (nsum_ext n _ (fun j => x i * b i n / b n n * (x j * b j n))) by (intros; field; lra).
          rewrite nsum_scale. field. lra. }
      rewrite <- G. transitivity (nsum n (fun i => (-1) * nsum n (fun j => x i * b i n * (x j * b j n) / b n n) + nsum n (fun j => x i * b i j * x j))).
      2: { rewrite nsum_lin. ring. }
      apply nsum_ext; intros i _. rewrite <- nsum_lin. apply nsum_ext; intros j _. field. lra. }
    destruct (IH b') as [(x & X & Z)|(e & He & Z)].
    + intros i j. unfold b'. rewrite (Y i j). field. lra.
    + intros x. rewrite QB. specialize (Q x (- s x / b n n)). fold (s x) in Q.
      replace (quad n b x - s x * s x / b n n) with (quad n b x + 2 * (- s x / b n n) * s x + - s x / b n n * b n n * (- s x / b n n)) by (field; lra). exact Q.
    + left. exists (fun k => if Nat.eqb k n then - s x / b n n else x k).
      assert (D : dotp n (fun k => if Nat.eqb k n then - s x / b n n else x k) (fun k => if Nat.eqb k n then - s x / b n n else x k) = dotp n x x).
      { apply nsum_ext. intros i I. destruct (Nat.eqb_spec i n); [lia | reflexivity]. }
      split.
      * unfold dotp in *. cbn [nsum]. rewrite D, Nat.eqb_refl. assert (W := Rle_0_sqr (- s x / b n n)). unfold Rsqr in W. lra.
      * intros i I. unfold app. cbn [nsum]. rewrite Nat.eqb_refl.
        rewrite (nsum_ext n _ (fun j => b i j * x j)) by (intros j J; destruct (Nat.eqb_spec j n); [lia | reflexivity]).
        destruct (Nat.eq_dec i n) as [->|Ne].
        { rewrite (nsum_ext n _ (fun j => x j * b j n)) by (intros j _; rewrite (Y n j); ring). fold (s x). field. lra. }
        specialize (Z i ltac:(lia)). unfold app, b' in Z.
        rewrite (nsum_ext n _ (fun j => (- (b i n / b n n)) * (x j * b j n) + b i j * x j)) in Z by (intros; field; lra).
        rewrite nsum_lin in Z. fold (s x) in Z. rewrite <- Z. field. lra.
    + right. set (m := dotp n (fun i => b i n) (fun i => b i n)). assert (M : 0 <= m) by apply dot_nn.
      set (k := 2 * m / (b n n * b n n) + 1).
      assert (K : 1 <= k). { unfold k. assert (0 <= 2 * m / (b n n * b n n)); [|lra]. apply Rmult_le_pos; [lra|]. apply Rlt_le, Rinv_0_lt_compat, Rmult_lt_0_compat; lra. }
      exists (Rmin (e / k) (b n n / 2)). split.
      * apply Rmin_glb_lt; [apply Rdiv_lt_0_compat; lra | lra].
      * intros x. rewrite QS. fold (s x). unfold dotp at 1. cbn [nsum]. fold (dotp n x x). set (X := dotp n x x). set (t := x n).
        specialize (Z x). rewrite QB in Z. fold X in Z.
        assert (C : s x ^ 2 <= X * m) by (apply (cauchy n x (fun i => b i n))).
        assert (X0 : 0 <= X) by apply dot_nn.
        set (f := Rmin (e / k) (b n n / 2)). assert (F1 : f <= e / k) by apply Rmin_l. assert (F2 : f <= b n n / 2) by apply Rmin_r.
        assert (F0 : 0 <= f). { apply Rmin_glb; [apply Rlt_le, Rdiv_lt_0_compat; lra | lra]. }
        set (v := t + s x / b n n).
        assert (T : t * t <= 2 * (v * v) + 2 * (X * m / (b n n * b n n))).
        { assert (TV : t = v - s x / b n n) by (unfold v; ring). rewrite TV.
          assert (A : s x / b n n * (s x / b n n) <= X * m / (b n n * b n n)).
          { replace (s x / b n n * (s x / b n n)) with (s x ^ 2 * / (b n n * b n n)) by (field; lra). unfold Rdiv.
            apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, Rmult_lt_0_compat; lra | exact C]. }
          assert (B := Rle_0_sqr (v + s x / b n n)). unfold Rsqr in B. lra. }
        replace (quad n b x + 2 * t * s x + t * b n n * t) with ((quad n b x - s x * s x / b n n) + b n n * (v * v)) by (unfold v; field; lra).
        assert (G1 : f * (X * k) <= e * X).
        { replace (e * X) with (e / k * (X * k)) by (field; lra). apply Rmult_le_compat_r; [apply Rmult_le_pos; lra | exact F1]. }
        assert (G2 : f * (2 * (v * v)) <= b n n * (v * v)).
        { replace (b n n * (v * v)) with (b n n / 2 * (2 * (v * v))) by field. apply Rmult_le_compat_r; [|exact F2].
          assert (B := Rle_0_sqr v). unfold Rsqr in B. lra. }
        assert (G3 : f * (t * t) <= f * (2 * (v * v) + 2 * (X * m / (b n n * b n n)))) by (apply Rmult_le_compat_l; assumption).
        assert (G4 : X + 2 * (X * m / (b n n * b n n)) = X * k) by (unfold k; field; lra).
        assert (G5 : f * X + f * (2 * (X * m / (b n n * b n n))) <= e * X) by (rewrite <- Rmult_plus_distr_l, G4; exact G1).
        lra.
  - left. exists (one n). split.
    + unfold dotp. cbn [nsum]. rewrite (nsum_pick (S n) n (fun k => one n k) (Nat.lt_succ_diag_r n)) || idtac.
      assert (G := nsum_pick (S n) n (one n) (Nat.lt_succ_diag_r n)). cbn [nsum] in G. rewrite G. unfold one. rewrite Nat.eqb_refl. lra.
    + intros i I. unfold app. rewrite (nsum_ext (S n) _ (fun j => one n j * b i j)) by (intros; ring).
      rewrite (nsum_pick (S n) n (fun j => b i j)) by lia.
      destruct (Nat.eq_dec i n) as [->|Ne]; [symmetry; exact N'|].
      assert (I' : (i < n)%nat) by lia.
      assert (G : forall t, 0 <= b i i + 2 * t * b i n).
      { intros t. specialize (Q (one i) t). rewrite <- N' in Q. rewrite (nsum_pick n i (fun k => b k n) I') in Q.
        replace (quad n b (one i)) with (b i i) in Q; [lra|]. symmetry. unfold quad.
        transitivity (nsum n (fun k => one i k * b k i)); [|apply (nsum_pick n i (fun k => b k i) I')].
        apply nsum_ext; intros k K. transitivity (nsum n (fun j => one i j * (one i k * b k j))).
        - apply nsum_ext; intros; ring.
        - rewrite (nsum_pick n i (fun j => one i k * b k j) I'). ring. }
      destruct (Req_dec (b i n) 0) as [|D]; [assumption|]. exfalso.
      specialize (G (- (b i i + 1) / (2 * b i n))).
      replace (b i i + 2 * (- (b i i + 1) / (2 * b i n)) * b i n) with (-1) in G by (field; auto). lra.
Qed.

(** The least c with b below c times the identity is an eigenvalue. *)
Lemma bound n b : exists c, forall x, quad n b x <= c * dotp n x x.
Proof.
  exists (nsum n (fun i => nsum n (fun j => Rabs (b i j)))). intros x. unfold quad.
  rewrite <- nsum_scale_r. assert (G : forall f g, (forall k, (k < n)%nat -> f k <= g k) -> nsum n f <= nsum n g).
  { intros f g H. assert (Q := nsum_pos n (fun k => (-1) * f k + g k)). rewrite nsum_lin in Q.
    assert (0 <= -1 * nsum n f + nsum n g); [apply Q; intros k K; specialize (H k K); lra | lra]. }
  apply G. intros i I. rewrite <- nsum_scale_r. apply G. intros j J.
  assert (S1 : forall k, (k < n)%nat -> x k * x k <= dotp n x x).
  { intros k K. unfold dotp. replace (x k * x k) with (nsum n (fun l => one k l * (x l * x l))) by (apply (nsum_pick n k (fun l => x l * x l) K)).
    apply G. intros l _. unfold one. assert (W := Rle_0_sqr (x l)). unfold Rsqr in W. destruct (Nat.eqb k l); lra. }
  assert (A : Rabs (x i * x j) <= dotp n x x).
  { assert (Si := S1 i I). assert (Sj := S1 j J). apply Rabs_le.
    assert (U := Rle_0_sqr (x i + x j)). assert (V := Rle_0_sqr (x i - x j)). unfold Rsqr in *. lra. }
  apply Rle_trans with (Rabs (x i * b i j * x j)); [apply Rle_abs|].
  replace (x i * b i j * x j) with (b i j * (x i * x j)) by ring. rewrite Rabs_mult.
  apply Rmult_le_compat_l; [apply Rabs_pos | exact A].
Qed.
Lemma sym_shifted b c : sym_ b -> sym_ (shifted b c).
Proof. intros Y i j. unfold shifted. rewrite (Y i j), (Nat.eqb_sym i j). reflexivity. Qed.
Definition negated (b : mat) : mat := fun i j => - b i j.
Lemma quad_negated n b x : quad n (negated b) x = - quad n b x.
Proof.
  unfold quad, negated. transitivity (nsum n (fun i => (-1) * nsum n (fun j => x i * b i j * x j))); [|rewrite nsum_scale; ring].
  apply nsum_ext; intros. rewrite <- nsum_scale. apply nsum_ext; intros; ring.
Qed.
Lemma top n b : (0 < n)%nat -> sym_ b ->
  exists c x, 0 < dotp n x x /\ (forall i, (i < n)%nat -> app n b x i = c * x i) /\ forall y, quad n b y <= c * dotp n y y.
Proof.
  intros L Y. set (A := fun c => forall x, quad n b x <= c * dotp n x x).
  assert (D1 : dotp n (one O) (one O) = 1). { apply (nsum_pick n O (one O) L). }
  destruct (bound n b) as (c0 & C0).
  destruct (completeness (fun r => A (- r))) as (m & U & M).
  - exists (- quad n b (one O)). intros r H. specialize (H (one O)). rewrite D1 in H. lra.
  - exists (- c0). unfold A. rewrite Ropp_involutive. exact C0.
  - set (c := - m). assert (AC : A c).
    { intros x. apply Rnot_lt_le. intro H. assert (X := dot_nn n x). destruct (Rle_lt_or_eq_dec _ _ X) as [X'|X'].
      - set (g := (quad n b x - c * dotp n x x) / dotp n x x). assert (G : 0 < g) by (apply Rdiv_lt_0_compat; lra).
        assert (m <= m - g / 2); [|lra]. apply M. intros r R. apply Rnot_lt_le. intro K. specialize (R x).
        assert (quad n b x = (c + g) * dotp n x x) by (unfold g; field; lra). rewrite H0 in R.
        apply Rmult_le_reg_r in R; [|exact X']. unfold c in *. lra.
      - specialize (C0 x). rewrite <- X' in *. lra. }
    destruct (dichotomy n (negated (shifted b c))) as [(x & X & Z)|(e & He & Z)].
    + intros i j. unfold negated. rewrite (sym_shifted b c Y i j). reflexivity.
    + intros x. rewrite quad_negated, quad_shift. specialize (AC x). lra.
    + exists c, x. split; [exact X | split; [|exact AC]]. intros i I. specialize (Z i I). unfold app, negated, shifted in Z.
      rewrite (nsum_ext n _ (fun j => c * (one i j * x j) + (-1) * (b i j * x j))) in Z.
      2: { intros j _. unfold one. destruct (Nat.eqb i j); ring. }
      rewrite nsum_lin, (nsum_pick n i x I), nsum_scale in Z. unfold app. lra.
    + exfalso. assert (m + e <= m); [|lra]. apply U. intros x. specialize (Z x). rewrite quad_negated, quad_shift in Z. unfold c in Z. lra.
Qed.

(** Orthonormal eigenvectors, one after the other. *)
Definition basis (n : nat) (b : mat) (k : nat) (u : nat -> vec) (l : nat -> R) : Prop :=
  (forall i j, (i < k)%nat -> (j < k)%nat -> dotp n (u i) (u j) = one i j) /\
  (forall i j, (i < k)%nat -> (j < n)%nat -> app n b (u i) j = l i * u i j).
Definition proj (k : nat) (u : nat -> vec) : mat := fun i j => nsum k (fun a => u a i * u a j).
Lemma dot_sym n x y : dotp n x y = dotp n y x. Proof. apply nsum_ext; intros; ring. Qed.
Lemma dot_app n b x y : sym_ b -> dotp n x (app n b y) = dotp n (app n b x) y.
Proof.
  intros Y. unfold dotp, app. transitivity (nsum n (fun i => nsum n (fun j => x i * b i j * y j))).
  - apply nsum_ext; intros. rewrite <- nsum_scale. apply nsum_ext; intros; ring.
  - rewrite nsum_swap. apply nsum_ext; intros j _. rewrite <- nsum_scale_r. apply nsum_ext; intros i _. rewrite (Y i j). ring.
Qed.
Lemma dot_lin n x c y z : dotp n x (fun i => c * y i + z i) = c * dotp n x y + dotp n x z.
Proof. unfold dotp. rewrite <- nsum_lin. apply nsum_ext; intros; ring. Qed.
Lemma dot_sum n k x (c : nat -> R) (u : nat -> vec) : dotp n x (fun i => nsum k (fun a => c a * u a i)) = nsum k (fun a => c a * dotp n x (u a)).
Proof.
  unfold dotp. rewrite (nsum_ext n _ (fun i => nsum k (fun a => x i * (c a * u a i)))) by (intros; rewrite <- nsum_scale; reflexivity).
  rewrite nsum_swap. apply nsum_ext; intros a _. rewrite <- nsum_scale. apply nsum_ext; intros; ring.
Qed.
Lemma pick_sum k a (f : nat -> R) : (a < k)%nat -> nsum k (fun c => f c * one a c) = f a.
Proof. intros L. rewrite (nsum_ext k _ (fun c => one a c * f c)) by (intros; ring). apply nsum_pick, L. Qed.
Section Basis.
  Context (n : nat) (b : mat) (Y : sym_ b) (k : nat) (u : nat -> vec) (l : nat -> R) (B : basis n b k u l).
  Definition rest (j : nat) : vec := fun i => one j i - proj k u i j.
  Lemma proj_dot a j : (a < k)%nat -> (j < n)%nat -> dotp n (u a) (rest j) = 0.
  Proof.
    intros A J. unfold rest, proj.
    assert (E : dotp n (u a) (fun i => (-1) * nsum k (fun c => u c j * u c i) + one j i) = 0).
    { rewrite dot_lin, dot_sum. rewrite (nsum_ext k _ (fun c => u c j * one a c)) by (intros c C; rewrite (proj1 B a c A C); reflexivity).
      rewrite (pick_sum k a (fun c => u c j) A). unfold dotp.
      rewrite (nsum_ext n (fun i => u a i * one j i) (fun i => one j i * u a i)) by (intros; ring). rewrite (nsum_pick n j (u a) J). ring. }
    rewrite <- E. apply nsum_ext. intros i _. f_equal.
    rewrite (nsum_ext k (fun c => u c i * u c j) (fun c => u c j * u c i)) by (intros; ring). ring.
  Qed.
  Lemma rest_dot j : (j < n)%nat -> dotp n (rest j) (rest j) = 1 - proj k u j j.
  Proof.
    intros J. assert (E : dotp n (rest j) (fun i => (-1) * nsum k (fun c => u c j * u c i) + one j i) = dotp n (rest j) (rest j)).
    { apply nsum_ext. intros i _. f_equal. unfold rest, proj.
      rewrite (nsum_ext k (fun c => u c i * u c j) (fun c => u c j * u c i)) by (intros; ring). ring. }
    rewrite <- E, dot_lin, dot_sum.
    rewrite (nsum_ext k _ (fun _ => 0)) by (intros c C; rewrite (dot_sym n (rest j)), (proj_dot c j C J); ring). rewrite nsum_zero.
    unfold dotp. rewrite (nsum_ext n (fun i => rest j i * one j i) (fun i => one j i * rest j i)) by (intros; ring).
    rewrite (nsum_pick n j (rest j) J). unfold rest, one. rewrite Nat.eqb_refl. ring.
  Qed.
  Lemma rest_sum : nsum n (fun j => 1 - proj k u j j) = INR n - INR k.
  Proof.
    unfold proj. rewrite (nsum_ext n _ (fun j => (-1) * nsum k (fun a => u a j * u a j) + 1)) by (intros; ring).
    rewrite nsum_lin, nsum_swap. rewrite (nsum_ext k _ (fun _ => 1)).
    2: { intros a A. fold (dotp n (u a) (u a)). rewrite (proj1 B a a A A). unfold one. rewrite Nat.eqb_refl. reflexivity. }
    assert (G : forall m, nsum m (fun _ => 1) = INR m) by (induction m; [reflexivity | rewrite S_INR, <- IHm; reflexivity]).
    rewrite !G. ring.
  Qed.
  Lemma more : (k < n)%nat -> exists u' l', basis n b (S k) u' l'.
  Proof.
    intros L. assert (V : exists j, (j < n)%nat /\ 0 < 1 - proj k u j j).
    { apply NNPP. intro H. assert (T := rest_sum). assert (0 < INR n - INR k) by (apply lt_INR in L; lra).
      assert (Z : 0 <= nsum n (fun j => (-1) * (1 - proj k u j j))).
      { apply nsum_pos. intros j J. destruct (Rle_lt_dec (1 - proj k u j j) 0); [lra|]. exfalso. apply H. exists j. auto. }
      rewrite nsum_scale in Z. lra. }
    destruct V as (j & J & Pj). rewrite <- (rest_dot j J) in Pj.
    destruct (bound n (negated b)) as (c' & C').
    set (C := c' + 1). set (M := fun i m => b i m - nsum k (fun a => (l a + C) * (u a i * u a m))).
    assert (AM : forall x i, app n M x i = app n b x i - nsum k (fun a => (l a + C) * dotp n (u a) x * u a i)).
    { intros x i. unfold app, M.
      rewrite (nsum_ext n _ (fun m => (-1) * nsum k (fun a => (l a + C) * (u a i * u a m) * x m) + b i m * x m)).
      2: { intros m _. rewrite (nsum_scale_r k (x m) (fun a => (l a + C) * (u a i * u a m))). ring. }
      rewrite nsum_lin, nsum_swap.
      rewrite (nsum_ext k (fun a => nsum n (fun m => (l a + C) * (u a i * u a m) * x m)) (fun a => (l a + C) * dotp n (u a) x * u a i)); [ring|].
      intros a _. unfold dotp. rewrite <- nsum_scale, <- nsum_scale_r. apply nsum_ext; intros; ring. }
    assert (YM : sym_ M).
    { intros i m. unfold M. rewrite (Y i m). f_equal. apply nsum_ext; intros; ring. }
    destruct (top n M ltac:(lia) YM) as (c & x & X & Ex & T).
    assert (Q : forall y, (forall a, (a < k)%nat -> dotp n (u a) y = 0) -> quad n M y = quad n b y).
    { intros y H. rewrite !quad_dot. apply nsum_ext. intros i _. f_equal. rewrite AM.
      rewrite (nsum_ext k _ (fun _ => 0)) by (intros a A; rewrite (H a A); ring). rewrite nsum_zero. ring. }
    assert (Big : 0 < c + C).
    { specialize (T (rest j)). rewrite Q in T by (intros a A; apply proj_dot; assumption).
      specialize (C' (rest j)). rewrite quad_negated in C'.
      assert (- c' * dotp n (rest j) (rest j) <= c * dotp n (rest j) (rest j)) by lra.
      apply Rmult_le_reg_r in H; [|exact Pj]. unfold C. lra. }
    assert (O : forall a, (a < k)%nat -> dotp n (u a) x = 0).
    { intros a A. assert (H : dotp n (u a) (app n M x) = c * dotp n (u a) x).
      { unfold dotp. rewrite <- nsum_scale. apply nsum_ext. intros i I. rewrite (Ex i I). ring. }
      assert (G : dotp n (u a) (app n M x) = - C * dotp n (u a) x).
      { unfold dotp at 1. rewrite (nsum_ext n (fun i => u a i * app n M x i) (fun i => u a i * ((-1) * nsum k (fun e => ((l e + C) * dotp n (u e) x) * u e i) + app n b x i))) by (intros i _; rewrite AM; ring).
        change (dotp n (u a) (fun i => (-1) * nsum k (fun e => ((l e + C) * dotp n (u e) x) * u e i) + app n b x i) = - C * dotp n (u a) x).
        rewrite dot_lin, dot_sum. rewrite (nsum_ext k _ (fun e => ((l e + C) * dotp n (u e) x) * one a e)) by (intros e He; rewrite (proj1 B a e A He); reflexivity).
        rewrite (pick_sum k a (fun e => (l e + C) * dotp n (u e) x) A), (dot_app n b (u a) x Y).
        unfold dotp at 2. rewrite (nsum_ext n (fun i => app n b (u a) i * x i) (fun i => l a * (u a i * x i))) by (intros i I; rewrite (proj2 B a i A I); ring).
        rewrite nsum_scale. fold (dotp n (u a) x). ring. }
      rewrite H in G. apply (Rmult_eq_reg_l (c + C)); [|lra]. lra. }
    set (r := sqrt (dotp n x x)). assert (R0 : 0 < r) by (apply sqrt_lt_R0, X).
    assert (RR : r * r = dotp n x x) by (apply sqrt_sqrt; lra).
    exists (fun a => if Nat.eqb a k then (fun i => x i / r) else u a), (fun a => if Nat.eqb a k then c else l a). split.
    - assert (XX : dotp n (fun i => x i / r) (fun i => x i / r) = 1).
      { transitivity (dotp n x x / (r * r)).
        - unfold dotp, Rdiv. rewrite <- nsum_scale_r. apply nsum_ext. intros. field. lra.
        - rewrite RR. field. lra. }
      assert (XU : forall a, (a < k)%nat -> dotp n (fun i => x i / r) (u a) = 0).
      { intros a A. transitivity (dotp n (u a) x / r); [|rewrite (O a A); field; lra].
        unfold dotp, Rdiv. rewrite <- nsum_scale_r. apply nsum_ext. intros; ring. }
      intros i m I M'. destruct (Nat.eqb_spec i k) as [->|Di], (Nat.eqb_spec m k) as [->|Dm].
      + rewrite XX. unfold one. rewrite Nat.eqb_refl. reflexivity.
      + rewrite XU by lia. unfold one. destruct (Nat.eqb_spec k m); [lia | reflexivity].
      + rewrite dot_sym, XU by lia. unfold one. destruct (Nat.eqb_spec i k); [lia | reflexivity].
      + apply (proj1 B); lia.
    - intros i m I M'. destruct (Nat.eqb_spec i k) as [->|Di]; [|apply (proj2 B); lia].
      assert (H := Ex m M'). rewrite AM in H. rewrite (nsum_ext k _ (fun _ => 0)) in H by (intros a A; rewrite (O a A); ring).
      rewrite nsum_zero in H. unfold app in *. rewrite (nsum_ext n _ (fun q => b m q * x q * / r)) by (intros; unfold Rdiv; ring).
      rewrite nsum_scale_r. replace (nsum n (fun q => b m q * x q)) with (c * x m) by lra. unfold Rdiv. ring.
  Qed.
End Basis.
Lemma full n b : sym_ b -> forall k, (k <= n)%nat -> exists u l, basis n b k u l.
Proof.
  intros Y. induction k as [|k IH]; intros K.
  - exists (fun _ _ => 0), (fun _ => 0). split; intros; lia.
  - destruct IH as (u & l & B); [lia|]. apply (more n b Y k u l B). lia.
Qed.
Lemma whole n b u l : basis n b n u l -> forall i j, (i < n)%nat -> (j < n)%nat -> proj n u i j = one i j.
Proof.
  intros B i j I J. assert (T := rest_sum n b n u l B). rewrite Rminus_diag_eq in T by reflexivity.
  assert (Z : forall m f, (forall k, (k < m)%nat -> 0 <= f k) -> nsum m f = 0 -> forall k, (k < m)%nat -> f k = 0).
  { induction m as [|m IH]; intros f P S0 k K; [lia|]. cbn [nsum] in S0.
    assert (A := nsum_pos m f (fun a H => P a ltac:(lia))). assert (P' := P m ltac:(lia)).
    destruct (Nat.eq_dec k m) as [->|]; [lra|]. apply (IH f); [intros; apply P; lia | lra | lia]. }
  assert (D : dotp n (rest n u j) (rest n u j) = 0).
  { rewrite (rest_dot n b n u l B j J). apply (Z n _) with (2 := T); [|exact J].
    intros a A. rewrite <- (rest_dot n b n u l B a A). apply dot_nn. }
  assert (E : rest n u j i * rest n u j i = 0) by (apply (Z n _) with (2 := D); [intros; apply Rle_0_sqr | exact I]).
  assert (F : rest n u j i = 0) by (apply Rmult_integral in E; tauto). unfold rest in F. rewrite (one_flip i j). lra.
Qed.
Lemma trace_basis n b u l x : basis n b n u l -> trace n x = nsum n (fun a => quad n x (u a)).
Proof.
  intros B. unfold quad, trace. rewrite nsum_swap. apply nsum_ext. intros i I. rewrite nsum_swap.
  transitivity (nsum n (fun j => one i j * x i j)); [symmetry; apply (nsum_pick n i (fun j => x i j) I)|].
  apply nsum_ext. intros j J. rewrite <- (whole n b u l B i j I J). unfold proj. rewrite <- nsum_scale_r. apply nsum_ext; intros; ring.
Qed.
Definition column (n : nat) (x : vec) : mat := fun i j => match j with O => if Nat.ltb i n then x i else 0 | _ => 0 end.
Lemma column_form n a x : times n (times n (flip (column n x)) a) (column n x) O O = quad n a x.
Proof.
  unfold quad, times, flip, column. rewrite nsum_swap. apply nsum_ext. intros j J. destruct (Nat.ltb_spec j n); [|lia].
  rewrite <- nsum_scale_r. apply nsum_ext. intros i I. destruct (Nat.ltb_spec i n); [ring | lia].
Qed.
(** Two traces compare when they do at every eigenvector of length one. *)
Theorem eigen n s x y : sized n n s -> flip s = s ->
  (forall u lam, sized n 1 u -> times n s u = scale lam u -> times n (flip u) u O O = 1 ->
     times n (times n (flip u) x) u O O <= times n (times n (flip u) y) u O O) ->
  trace n x <= trace n y.
Proof.
  intros S0 F H. assert (Y : sym_ s) by (intros i j; exact (f_equal (fun m : mat => m j i) F)).
  destruct (full n s Y n (le_n n)) as (u & l & B). rewrite !(trace_basis n s u l _ B).
  assert (P : 0 <= nsum n (fun a => (-1) * quad n x (u a) + quad n y (u a))).
  { apply nsum_pos. intros a A. assert (G := H (column n (u a)) (l a)). rewrite !column_form in G. apply Rge_le. apply Rle_ge.
    cut (quad n x (u a) <= quad n y (u a)); [lra|]. apply G.
    - intros i [|j] [I|J]; unfold column; try reflexivity; [destruct (Nat.ltb_spec i n); [lia | reflexivity] | lia].
    - apply fm_ext. intros i j. unfold times, scale, column. destruct j as [|j].
      + destruct (Nat.ltb_spec i n) as [I|I].
        * rewrite <- (proj2 B a i A I). unfold app. apply nsum_ext. intros q Q. destruct (Nat.ltb_spec q n); [reflexivity | lia].
        * rewrite (nsum_all0 n _) by (intros q; rewrite S0 by auto; ring). ring.
      + rewrite (nsum_all0 n _) by (intros; ring). ring.
    - transitivity (dotp n (u a) (u a)).
      + unfold times, flip, column, dotp. apply nsum_ext. intros i I. destruct (Nat.ltb_spec i n); [reflexivity | lia].
      + rewrite (proj1 B a a A A). unfold one. rewrite Nat.eqb_refl. reflexivity. }
  rewrite nsum_lin in P. lra.
Qed.

Theorem eigen_ge n s x y : sized n n s -> flip s = s ->
  (forall u lam, sized n 1 u -> times n s u = scale lam u -> times n (flip u) u O O = 1 ->
     times n (times n (flip u) x) u O O >= times n (times n (flip u) y) u O O) ->
  trace n x >= trace n y.
Proof. intros S0 F H. apply Rle_ge, (eigen n s); auto. intros. apply Rge_le. eauto. Qed.
Theorem eigen_eq n s x y : sized n n s -> flip s = s ->
  (forall u lam, sized n 1 u -> times n s u = scale lam u -> times n (flip u) u O O = 1 ->
     times n (times n (flip u) x) u O O = times n (times n (flip u) y) u O O) ->
  trace n x = trace n y.
Proof. intros S0 F H. apply Rle_antisym; apply (eigen n s); auto; intros; right; [|symmetry]; eauto. Qed.

(** There is a sequence that begins and goes on as told. *)
Lemma recursion {A : Type} (a : A) (F : A -> A) : exists f : nat -> A, f O = a /\ forall n, f (n + 1)%nat = F (f n).
Proof. exists (fun n => Nat.iter n F a). split; [reflexivity|]. intros n. rewrite Nat.add_1_r. reflexivity. Qed.

Lemma pow_twice x n : x ^ (2 * n) = x ^ n * x ^ n.
Proof. replace (2 * n)%nat with (n + n)%nat by lia. apply pow_add. Qed.
Ltac powers_vanish :=
  match goal with |- Forall ?P ?l => let m := eval vm_compute in l in change (Forall P m) end;
  repeat (apply Forall_cons; [cbn [cval nth var INR]; rewrite ?pow_add, ?pow_twice; first [ring | field; repeat split; nz] | ]);
  apply Forall_nil.
