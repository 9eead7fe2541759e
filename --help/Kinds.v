(** Kinds.v: vectors and matrices of every size, samples and histories, and what claims say about them.

    A matrix with r rows and c columns is a function of two indices that is zero outside (`sized r c`), so that equal
    matrices are equal functions. A mean is any positive linear functional that maps 1 to 1; two independent samples are
    two means, and the order of the two does not matter (`sampling`). The samples of a history are drawn one by one. *)

Require Export LemmaLab.Matrices.
Require Import FunctionalExtensionality Bool.
Local Open Scope bool_scope.
Ltac fx := apply functional_extensionality; intro.

(** * What the statements say *)

Definition sized (r c : nat) (a : mat) : Prop := forall i j, (r <= i \/ c <= j)%nat -> a i j = 0.
Definition identity (n : nat) : mat := fun i j => if Nat.eqb i j then if Nat.ltb i n then 1 else 0 else 0.
Definition number (x : R) : mat := fun i j => match i, j with O, O => x | _, _ => 0 end.
Definition above (r s : nat) (a b : mat) : mat := fun i j =>
  if Nat.ltb i r then a i j else if Nat.ltb i (r + s) then b (i - r)%nat j else 0.
Definition beside (r s : nat) (a b : mat) : mat := fun i j =>
  if Nat.ltb j r then a i j else if Nat.ltb j (r + s) then b i (j - r)%nat else 0.
Definition average {W : Type} (E : (W -> R) -> R) (f : W -> mat) : mat := fun i j => E (fun w => f w i j).
Fixpoint msum (n : nat) (f : nat -> mat) : mat := match n with O => zero | S m => plus (msum m f) (f m) end.
(** The sum of f i over the integers lo <= i <= hi, zero when there are none. *)
Definition matsum (lo hi : Z) (f : Z -> mat) : mat := msum (Z.to_nat (hi - lo + 1)) (fun k => f (lo + Z.of_nat k)%Z).
(** Symmetric, and a nonnegative quadratic form. *)
Definition nonneg (n : nat) (a : mat) : Prop := flip a = a /\ forall x : mat, 0 <= times n (times n (flip x) a) x O O.
Definition below (n : nat) (a b : mat) : Prop := nonneg n (minus b a).
(** Positive definite, with its inverse. *)
Definition inverse (n : nat) (a b : mat) : Prop :=
  sized n n b /\ flip b = b /\ times n a b = identity n /\ times n b a = identity n.

Record sampling {S : Type} (E : (S -> R) -> R) : Prop := {
  s_mean : expectation E;
  s_swap : forall f : S -> S -> R, E (fun w => E (fun v => f w v)) = E (fun v => E (fun w => f w v)) }.
Definition put {S : Type} (h : nat -> S) (t : nat) (w : S) : nat -> S := fun k => if Nat.eqb k t then w else h k.
(** The mean over histories of T samples; what comes later is `h`. *)
Fixpoint history {S : Type} (E : (S -> R) -> R) (h : nat -> S) (T : nat) (f : (nat -> S) -> R) : R :=
  match T with O => f h | S t => history E h t (fun g => E (fun w => f (put g t w))) end.

(** * Means *)

Section Means.
  Context {W : Type}.
  Definition mean_ (E : (W -> R) -> R) : Prop := expectation E.
  Lemma m_ext E (H : expectation E) (f g : W -> R) : (forall w, f w = g w) -> E f = E g.
  Proof. intros P. f_equal. fx. apply P. Qed.
  Lemma m_plus E (H : expectation E) (f g : W -> R) : E (fun o => f o + g o) = E f + E g.
  Proof. exact (E_plus E H f g). Qed.
  Lemma m_scale E (H : expectation E) c (f : W -> R) : E (fun o => c * f o) = c * E f.
  Proof. exact (E_scale E H c f). Qed.
  Lemma m_scale_r E (H : expectation E) c (f : W -> R) : E (fun o => f o * c) = E f * c.
  Proof. rewrite (m_ext E H (fun o => f o * c) (fun o => c * f o)) by (intro; ring). rewrite (m_scale E H). ring. Qed.
  Lemma m_const E (H : expectation E) c : E (fun _ : W => c) = c.
  Proof.
    rewrite (m_ext E H (fun _ => c) (fun _ => c * 1)) by (intro; ring).
    rewrite (m_scale E H c (fun _ => 1)), (e_one _ H). ring.
  Qed.
  Lemma m_nsum E (H : expectation E) n (f : nat -> W -> R) : E (fun o => nsum n (fun k => f k o)) = nsum n (fun k => E (f k)).
  Proof. exact (E_nsum E H n f). Qed.
  Lemma m_pos E (H : expectation E) (f : W -> R) : (forall w, 0 <= f w) -> 0 <= E f.
  Proof. intros P. apply (f_pos _ _ (e_functional _ H)). intros a _. apply P. Qed.
  Lemma m_mono E (H : expectation E) (f g : W -> R) : (forall w, f w <= g w) -> E f <= E g.
  Proof. intros P. apply (f_mono (e_functional _ H)). intros a _. apply P. Qed.
End Means.

Section Histories.
  Context {S : Type} (E : (S -> R) -> R) (HE : sampling E) (h0 : nat -> S).
  Let X := s_mean _ HE.
  Lemma history_expectation T : expectation (history E h0 T).
  Proof.
    induction T as [|t IH].
    - split; [split|]; simpl; auto. intros f P; apply P; exact I.
    - split; [split|]; simpl.
      + intros c f g. rewrite <- (f_lin _ _ (e_functional _ IH)). apply (m_ext _ IH). intros h.
        rewrite <- (f_lin _ _ (e_functional _ X)). reflexivity.
      + intros f P. apply (m_pos _ IH). intros h. apply (m_pos _ X). intros w. apply P. exact I.
      + rewrite (m_ext _ IH _ (fun _ => 1)) by (intros; apply (e_one _ X)). apply (e_one _ IH).
  Qed.
  Lemma history_swap T (f : S -> (nat -> S) -> R) :
    E (fun w => history E h0 T (fun h => f w h)) = history E h0 T (fun h => E (fun w => f w h)).
  Proof.
    revert f. induction T as [|t IH]; intros f; simpl; [reflexivity|].
    rewrite (IH (fun v g => E (fun w => f v (put g t w)))). apply (m_ext _ (history_expectation t)). intros h.
    apply (s_swap _ HE).
  Qed.
  Lemma history_swaps T U (f : (nat -> S) -> (nat -> S) -> R) :
    history E h0 U (fun g => history E h0 T (fun h => f g h)) = history E h0 T (fun h => history E h0 U (fun g => f g h)).
  Proof.
    revert f. induction U as [|u IH]; intros f; simpl; [reflexivity|].
    rewrite <- (IH (fun g h => E (fun w => f (put g u w) h))). apply (m_ext _ (history_expectation u)). intros h.
    apply history_swap.
  Qed.
  Definition agree (t : nat) (g h : nat -> S) : Prop := forall k, (k < t)%nat -> g k = h k.
  Lemma agree_put t u (h : nat -> S) w : (u <= t)%nat -> agree u (put h t w) h.
  Proof. intros L k K. unfold put. destruct (Nat.eqb_spec k t); [lia | reflexivity]. Qed.
  Lemma history_step t f : history E h0 (t + 1) f = history E h0 t (fun h => E (fun w => f (put h t w))).
  Proof. rewrite Nat.add_1_r. reflexivity. Qed.
  Lemma history_more u T f : (u <= T)%nat -> (forall g h, agree u g h -> f g = f h) -> history E h0 T f = history E h0 u f.
  Proof.
    intros L P. induction T as [|t IH]; [replace u with O by lia; reflexivity|].
    destruct (Nat.eq_dec u (Datatypes.S t)) as [->|N]; [reflexivity|]. simpl.
    rewrite <- IH by lia. apply (m_ext _ (history_expectation t)). intros h.
    rewrite (m_ext _ X _ (fun _ => f h)); [apply (m_const _ X)|]. intros w. apply P, agree_put. lia.
  Qed.
End Histories.

(** Finite means are a model: independent draws from a finite space. *)
Lemma finite_mean_sampling p : Forall (fun q => 0 <= q) p -> total p = 1 -> sampling (finite_mean p).
Proof.
  intros P T. assert (X := finite_mean_expectation p P T). split; [exact X|]. clear P T. intros f.
  assert (G : forall q (f : nat -> nat -> R), finite_mean q (fun w => finite_mean p (fun v => f w v)) =
                                finite_mean p (fun v => finite_mean q (fun w => f w v))).
  { induction q as [|c q IH]; intros g; simpl.
    - symmetry. apply (m_const _ X).
    - rewrite (IH (fun w v => g (S w) v)). rewrite <- (m_scale _ X), <- (m_plus _ X). reflexivity. }
  apply (G p f).
Qed.

(** * Matrices that are zero outside *)

Lemma fm_ext (a b : mat) : (forall i j, a i j = b i j) -> a = b.
Proof. intros P. do 2 fx. apply P. Qed.
Lemma nsum_more m n f : (m <= n)%nat -> (forall k, (m <= k)%nat -> f k = 0) -> nsum n f = nsum m f.
Proof.
  intros L P. induction n as [|n IH]; [replace m with O by lia; reflexivity|].
  destruct (Nat.eq_dec m (S n)) as [->|D]; [reflexivity|]. simpl. rewrite IH by lia. rewrite (P n) by lia. ring.
Qed.
Lemma sized_more r c s d a : (r <= s)%nat -> (c <= d)%nat -> sized r c a -> sized s d a.
Proof. intros P Q A i j [I|J]; apply A; lia. Qed.
Lemma sized_plus r c a b : sized r c a -> sized r c b -> sized r c (plus a b).
Proof. intros A B i j P. unfold plus. rewrite A, B by auto. ring. Qed.
Lemma sized_scale r c x a : sized r c a -> sized r c (scale x a).
Proof. intros A i j P. unfold scale. rewrite A by auto. ring. Qed.
Lemma sized_opp r c a : sized r c a -> sized r c (opp a). Proof. apply sized_scale. Qed.
Lemma sized_minus r c a b : sized r c a -> sized r c b -> sized r c (minus a b).
Proof. intros A B. apply sized_plus; [auto | apply sized_opp; auto]. Qed.
Lemma sized_flip r c a : sized r c a -> sized c r (flip a).
Proof. intros A i j P. unfold flip. apply A. tauto. Qed.
Lemma nsum_all0 n f : (forall k, f k = 0) -> nsum n f = 0.
Proof. intros P. rewrite (nsum_ext n f (fun _ => 0)) by auto. apply nsum_zero. Qed.
Lemma sized_times n r c m s a b : sized r m a -> sized s c b -> sized r c (times n a b).
Proof.
  intros A B i j [P|P]; unfold times; apply nsum_all0; intros k; [rewrite (A i k) by auto | rewrite (B k j) by auto]; ring.
Qed.
Lemma sized_identity n : sized n n (identity n).
Proof.
  intros i j P. unfold identity. destruct (Nat.eqb_spec i j) as [->|]; [|reflexivity].
  destruct (Nat.ltb_spec j n); [lia|reflexivity].
Qed.
Lemma sized_number x : sized 1 1 (number x).
Proof. intros [|i] [|j] P; try reflexivity. lia. Qed.
Lemma sized_zero r c : sized r c zero. Proof. intros i j _. reflexivity. Qed.
Lemma sized_above r s c a b : sized r c a -> sized s c b -> sized (r + s) c (above r s a b).
Proof.
  intros A B i j P. unfold above. destruct (Nat.ltb_spec i r); [apply A; lia|].
  destruct (Nat.ltb_spec i (r + s)); [apply B; lia | reflexivity].
Qed.
Lemma sized_beside r c d a b : sized r c a -> sized r d b -> sized r (c + d) (beside c d a b).
Proof.
  intros A B i j P. unfold beside. destruct (Nat.ltb_spec j c); [apply A; lia|].
  destruct (Nat.ltb_spec j (c + d)); [apply B; lia | reflexivity].
Qed.
Lemma sized_average {W} (E : (W -> R) -> R) (H : expectation E) r c f : (forall w, sized r c (f w)) -> sized r c (average E f).
Proof.
  intros A i j P. unfold average. rewrite (m_ext E H _ (fun _ => 0)); [apply (m_const E H)|]. intros w. apply A, P.
Qed.
Lemma sized_msum r c n f : (forall k, sized r c (f k)) -> sized r c (msum n f).
Proof. intros A. induction n; simpl; [apply sized_zero | apply sized_plus; auto]. Qed.
Lemma sized_matsum r c lo hi f : (forall k, sized r c (f k)) -> sized r c (matsum lo hi f).
Proof. intros A. apply sized_msum. intros; apply A. Qed.
Lemma plus_assoc a b c : plus (plus a b) c = plus a (plus b c). Proof. apply fm_ext; intros; unfold plus; ring. Qed.
Lemma plus_comm a b : plus a b = plus b a. Proof. apply fm_ext; intros; unfold plus; ring. Qed.
Lemma matsum_empty lo hi f : (hi < lo)%Z -> matsum lo hi f = zero.
Proof. intros. unfold matsum. replace (Z.to_nat (hi - lo + 1)) with O by lia. reflexivity. Qed.
Lemma matsum_last lo hi h f t : (lo <= hi)%Z -> h = (hi - 1)%Z -> f hi = t -> matsum lo hi f = plus (matsum lo h f) t.
Proof.
  intros L -> <-. unfold matsum. replace (Z.to_nat (hi - lo + 1)) with (S (Z.to_nat (hi - 1 - lo + 1))) by lia.
  simpl. f_equal. f_equal. lia.
Qed.
Lemma msum_first n f : msum (S n) f = plus (f O) (msum n (fun k => f (S k))).
Proof.
  induction n as [|n IH]; [simpl; apply fm_ext; intros; unfold plus, zero; ring|].
  change (plus (msum (S n) f) (f (S n)) = plus (f O) (plus (msum n (fun k => f (S k))) (f (S n)))).
  rewrite IH, plus_assoc. reflexivity.
Qed.
Lemma matsum_first lo hi l f t : (lo <= hi)%Z -> l = (lo + 1)%Z -> f lo = t -> matsum lo hi f = plus (matsum l hi f) t.
Proof.
  intros L -> <-. unfold matsum. replace (Z.to_nat (hi - lo + 1)) with (S (Z.to_nat (hi - (lo + 1) + 1))) by lia.
  rewrite msum_first, plus_comm. replace (lo + Z.of_nat 0)%Z with lo by lia. f_equal. f_equal. fx. f_equal. lia.
Qed.
Lemma sized_inverse n a b : inverse n a b -> sized n n b. Proof. intros H; apply H. Qed.

Lemma times_more n m r a b : (m <= n)%nat -> sized r m a -> times n a b = times m a b.
Proof. intros L A. apply fm_ext; intros i j. apply nsum_more; [exact L|]. intros k K. rewrite A by auto. ring. Qed.
Lemma trace_more n m a : (m <= n)%nat -> sized m m a -> trace n a = trace m a.
Proof. intros L A. apply nsum_more; [exact L|]. intros k K. apply A. auto. Qed.
Lemma tassoc n m a b c : times n (times m a b) c = times m a (times n b c).
Proof.
  apply fm_ext; intros i j. unfold times. transitivity (nsum n (fun k => nsum m (fun l => a i l * b l k * c k j))).
  - apply nsum_ext; intros; rewrite nsum_scale_r; reflexivity.
  - rewrite nsum_swap. apply nsum_ext; intros. rewrite <- nsum_scale. apply nsum_ext; intros; ring.
Qed.
Lemma times_id_l n m c a : (m <= n)%nat -> sized m c a -> times n (identity m) a = a.
Proof.
  intros L A. apply fm_ext; intros i j. unfold times, identity.
  destruct (Nat.ltb_spec i m).
  - rewrite (nsum_ext n _ (fun k => one i k * a k j)).
    + apply (nsum_pick n i (fun k => a k j)). lia.
    + intros k K. unfold one. destruct (Nat.eqb i k); reflexivity.
  - rewrite A by auto. apply nsum_all0. intros k. destruct (Nat.eqb i k); ring.
Qed.
Lemma flip_identity n : flip (identity n) = identity n.
Proof.
  apply fm_ext; intros i j. unfold flip, identity. rewrite Nat.eqb_sym. destruct (Nat.eqb_spec i j) as [->|]; reflexivity.
Qed.
Lemma flip_flip a : flip (flip a) = a. Proof. reflexivity. Qed.
Lemma ftimes n a b : flip (times n a b) = times n (flip b) (flip a).
Proof. apply fm_ext; intros i j. unfold flip, times. apply nsum_ext; intros; ring. Qed.
Lemma times_id_r n m r a : (m <= n)%nat -> sized r m a -> times n a (identity m) = a.
Proof.
  intros L A. rewrite <- (flip_flip (times n a (identity m))), ftimes, flip_identity.
  rewrite (times_id_l n m r (flip a) L); [reflexivity | apply sized_flip, A].
Qed.
Lemma times_plus_l n a b c : times n (plus a b) c = plus (times n a c) (times n b c).
Proof. apply fm_ext; intros i j. unfold times, plus. rewrite <- nsum_plus. apply nsum_ext; intros; ring. Qed.
Lemma times_plus_r n a b c : times n a (plus b c) = plus (times n a b) (times n a c).
Proof. apply fm_ext; intros i j. unfold times, plus. rewrite <- nsum_plus. apply nsum_ext; intros; ring. Qed.
Lemma times_scale_l n x a b : times n (scale x a) b = scale x (times n a b).
Proof. apply fm_ext; intros i j. unfold times, scale. rewrite <- nsum_scale. apply nsum_ext; intros; ring. Qed.
Lemma times_scale_r n x a b : times n a (scale x b) = scale x (times n a b).
Proof. apply fm_ext; intros i j. unfold times, scale. rewrite <- nsum_scale. apply nsum_ext; intros; ring. Qed.
Lemma times_zero_l n a : times n zero a = zero.
Proof. apply fm_ext; intros i j. apply nsum_all0. intros; unfold zero; ring. Qed.
Lemma times_zero_r n a : times n a zero = zero.
Proof. apply fm_ext; intros i j. apply nsum_all0. intros; unfold zero; ring. Qed.
Lemma tr_cycle n a b : trace n (times n a b) = trace n (times n b a). Proof. apply trace_cycle. Qed.
Lemma tr_flip n a : trace n (flip a) = trace n a. Proof. reflexivity. Qed.
Lemma tr_plus n a b : trace n (plus a b) = trace n a + trace n b. Proof. apply nsum_plus. Qed.
Lemma tr_scale n x a : trace n (scale x a) = x * trace n a. Proof. apply nsum_scale. Qed.
Lemma tr_zero n : trace n zero = 0. Proof. apply nsum_zero. Qed.
Lemma tr_identity n m : (m <= n)%nat -> trace n (identity m) = m.
Proof.
  intros L. rewrite (trace_more n m _ L (sized_identity m)). unfold trace, identity.
  rewrite (nsum_ext m _ (fun _ => 1)).
  - clear. induction m; [reflexivity|]. rewrite S_INR, <- IHm. reflexivity.
  - intros k K. rewrite Nat.eqb_refl. destruct (Nat.ltb_spec k m); [reflexivity | lia].
Qed.
Lemma one_by_one n a : (1 <= n)%nat -> sized 1 1 a -> a = scale (trace n a) (identity 1).
Proof.
  intros L A. rewrite (trace_more n 1 a L A). apply fm_ext. intros [|i] [|j]; unfold scale, identity, trace; simpl; try ring.
  - rewrite A by lia. ring.
  - rewrite A by lia. ring.
  - rewrite A by lia. destruct (Nat.eqb i j); ring.
Qed.
Lemma trace_number n a : (1 <= n)%nat -> sized 1 1 a -> trace n a = a O O.
Proof. intros L A. rewrite (trace_more n 1 a L A). unfold trace. simpl. ring. Qed.
Lemma number_eq a : sized 1 1 a -> a = number (a O O).
Proof. intros A. apply fm_ext. intros [|i] [|j]; simpl; try reflexivity; apply A; lia. Qed.
Lemma number_at x : number x O O = x. Proof. reflexivity. Qed.

(** Injections of blocks. *)
Definition upper (r s : nat) : mat := fun i j => if Nat.eqb i j then if Nat.ltb j r then 1 else 0 else 0.
Definition lower (r s : nat) : mat := fun i j => if Nat.eqb i (r + j) then if Nat.ltb j s then 1 else 0 else 0.
Lemma sized_upper r s : sized (r + s) r (upper r s).
Proof.
  intros i j P. unfold upper. destruct (Nat.eqb_spec i j); [|reflexivity]. destruct (Nat.ltb_spec j r); [lia|reflexivity].
Qed.
Lemma sized_lower r s : sized (r + s) s (lower r s).
Proof.
  intros i j P. unfold lower. destruct (Nat.eqb_spec i (r + j)); [|reflexivity].
  destruct (Nat.ltb_spec j s); [lia|reflexivity].
Qed.
Lemma upper_is r s : upper r s = identity r.
Proof.
  apply fm_ext; intros i j. unfold upper, identity. destruct (Nat.eqb_spec i j) as [->|]; reflexivity.
Qed.
Lemma pick n (k : nat) (f : nat -> R) (L : (k < n)%nat) : nsum n (fun l => if Nat.eqb l k then f l else 0) = f k.
Proof.
  rewrite (nsum_ext n _ (fun l => one k l * f l)); [apply nsum_pick, L|].
  intros l _. unfold one. rewrite (Nat.eqb_sym k l). destruct (Nat.eqb l k); ring.
Qed.
Lemma lower_times n r s a i j : (s <= n)%nat ->
  times n (lower r s) a i j = if Nat.ltb i r then 0 else if Nat.ltb i (r + s) then a (i - r)%nat j else 0.
Proof.
  intros L. unfold times, lower. destruct (Nat.ltb_spec i r).
  { apply nsum_all0. intros k. destruct (Nat.eqb_spec i (r + k)); [lia | ring]. }
  destruct (Nat.ltb_spec i (r + s)).
  - rewrite (nsum_ext n _ (fun k => if Nat.eqb k (i - r) then a k j else 0)).
    + apply (pick n (i - r) (fun k => a k j)). lia.
    + intros k K. destruct (Nat.eqb_spec i (r + k)), (Nat.eqb_spec k (i - r)); try lia; [|ring].
      destruct (Nat.ltb_spec k s); [ring | lia].
  - apply nsum_all0. intros k. destruct (Nat.eqb_spec i (r + k)); [|ring]. destruct (Nat.ltb_spec k s); [lia | ring].
Qed.
Lemma above_is n r s c a b : (r <= n)%nat -> (s <= n)%nat -> sized r c a ->
  above r s a b = plus (times n (upper r s) a) (times n (lower r s) b).
Proof.
  intros L M A. rewrite upper_is, (times_id_l n r c a L A). apply fm_ext; intros i j. unfold plus.
  rewrite (lower_times n r s b i j M). unfold above. destruct (Nat.ltb_spec i r); [ring|].
  rewrite A by auto. destruct (Nat.ltb_spec i (r + s)); ring.
Qed.
Lemma beside_flip r s a b : beside r s a b = flip (above r s (flip a) (flip b)). Proof. reflexivity. Qed.
Lemma uu n r s : (r + s <= n)%nat -> times n (flip (upper r s)) (upper r s) = identity r.
Proof. intros L. rewrite upper_is, flip_identity. apply (times_id_l n r r); [lia | apply sized_identity]. Qed.
Lemma ul n r s : (r + s <= n)%nat -> times n (flip (upper r s)) (lower r s) = zero.
Proof.
  intros L. apply fm_ext; intros i j. apply nsum_all0. intros k. unfold flip, upper, lower.
  destruct (Nat.eqb_spec k i), (Nat.eqb_spec k (r + j)), (Nat.ltb_spec i r); try ring. lia.
Qed.
Lemma lu n r s : (r + s <= n)%nat -> times n (flip (lower r s)) (upper r s) = zero.
Proof. intros L. rewrite <- (flip_flip (times _ _ _)), ftimes. rewrite flip_flip, (ul n r s L). reflexivity. Qed.
Lemma ll n r s : (r + s <= n)%nat -> times n (flip (lower r s)) (lower r s) = identity s.
Proof.
  intros L. apply fm_ext; intros i j. unfold times, flip, lower, identity.
  destruct (Nat.ltb_spec i s).
  - rewrite (nsum_ext n _ (fun k => if Nat.eqb k (r + i) then if Nat.eqb i j then 1 else 0 else 0)).
    + rewrite (pick n (r + i) (fun k => if Nat.eqb i j then 1 else 0)) by lia. reflexivity.
    + intros k K. destruct (Nat.eqb_spec k (r + i)), (Nat.eqb_spec k (r + j)), (Nat.eqb_spec i j); try lia; try ring.
      subst j. destruct (Nat.ltb_spec i s); [ring | lia].
  - destruct (Nat.eqb i j); apply nsum_all0; intros k; destruct (Nat.eqb k (r + i)); ring.
Qed.
Lemma uu' n r s : (r + s <= n)%nat ->
  times n (upper r s) (flip (upper r s)) = minus (identity (r + s)) (times n (lower r s) (flip (lower r s))).
Proof.
  intros L. rewrite (upper_is r s), flip_identity.
  rewrite (times_id_l n r r (identity r)) by (lia || apply sized_identity).
  apply fm_ext; intros i j. unfold minus, opp, plus, scale. rewrite (lower_times n r s _ i j) by lia.
  unfold identity, flip, lower. destruct (Nat.eqb_spec i j) as [->|D].
  - destruct (Nat.ltb_spec j r); [destruct (Nat.ltb_spec j (r + s)); [ring | lia]|].
    destruct (Nat.ltb_spec j (r + s)); [|ring].
    destruct (Nat.eqb_spec j (r + (j - r))); [|lia]. destruct (Nat.ltb_spec (j - r) s); [ring | lia].
  - destruct (Nat.ltb_spec i r); [ring|]. destruct (Nat.ltb_spec i (r + s)); [|ring].
    destruct (Nat.eqb_spec j (r + (i - r))); [lia | ring].
Qed.

(** Means of matrices. *)
Section Average.
  Context {W : Type} (E : (W -> R) -> R) (H : expectation E).
  Lemma av_ext (f g : W -> mat) : (forall w, f w = g w) -> average E f = average E g.
  Proof. intros P. apply fm_ext; intros i j. apply (m_ext E H). intros w. rewrite P. reflexivity. Qed.
  Lemma av_plus (f g : W -> mat) : average E (fun w => plus (f w) (g w)) = plus (average E f) (average E g).
  Proof. apply fm_ext; intros i j. apply (m_plus E H). Qed.
  Lemma av_scale c (f : W -> mat) : average E (fun w => scale c (f w)) = scale c (average E f).
  Proof. apply fm_ext; intros i j. apply (m_scale E H). Qed.
  Lemma av_zero : average E (fun _ => zero) = zero.
  Proof. apply fm_ext; intros i j. exact (m_const E H 0). Qed.
  Lemma av_const a : average E (fun _ => a) = a.
  Proof. apply fm_ext; intros i j. exact (m_const E H (a i j)). Qed.
  Lemma av_left n a (f : W -> mat) : average E (fun w => times n a (f w)) = times n a (average E f).
  Proof. apply fm_ext; intros i j. exact (mean_left E H n a f i j). Qed.
  Lemma av_right n a (f : W -> mat) : average E (fun w => times n (f w) a) = times n (average E f) a.
  Proof. apply fm_ext; intros i j. exact (mean_right E H n f a i j). Qed.
  Lemma av_flip (f : W -> mat) : average E (fun w => flip (f w)) = flip (average E f).
  Proof. reflexivity. Qed.
  Lemma av_trace n (f : W -> mat) : trace n (average E f) = E (fun w => trace n (f w)).
  Proof. unfold trace, average. symmetry. apply (m_nsum E H). Qed.
  Lemma av_number (f : W -> R) : average E (fun w => number (f w)) = number (E f).
  Proof. apply fm_ext; intros [|i] [|j]; unfold average, number; try apply (m_const E H). reflexivity. Qed.
  Lemma av_scale_r a (f : W -> R) : average E (fun w => scale (f w) a) = scale (E f) a.
  Proof. apply fm_ext; intros i j. exact (m_scale_r E H (a i j) f). Qed.
End Average.
