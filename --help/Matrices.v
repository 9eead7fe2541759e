(** Matrices.v: matrices of every size, and a normal form for sums of words in letters that do not commute. *)

Require Export LemmaLab.LemmaLab.

(** * Matrices of every size: functions of two indices below n, with product, transpose, trace and order *)

Definition mat := nat -> nat -> R.
Definition meq (n : nat) (a b : mat) : Prop := forall i j, (i < n)%nat -> (j < n)%nat -> a i j = b i j.
Definition zero : mat := fun _ _ => 0.
Definition one : mat := fun i j => if Nat.eqb i j then 1 else 0.
Definition plus (a b : mat) : mat := fun i j => a i j + b i j.
Definition scale (c : R) (a : mat) : mat := fun i j => c * a i j.
Definition opp (a : mat) : mat := scale (-1) a.
Definition minus (a b : mat) : mat := plus a (opp b).
Definition times (n : nat) (a b : mat) : mat := fun i j => nsum n (fun k => a i k * b k j).
Definition flip (a : mat) : mat := fun i j => a j i.
Fixpoint power (n : nat) (a : mat) (k : nat) : mat :=
  match k with O => one | S O => a | S m => times n (power n a m) a end.
Definition trace (n : nat) (a : mat) : R := nsum n (fun i => a i i).
Definition symmetric (n : nat) (a : mat) : Prop := meq n (flip a) a.
Definition form (n : nat) (a : mat) (x : nat -> R) : R := nsum n (fun i => nsum n (fun j => x i * a i j * x j)).
Definition psd (n : nat) (a : mat) : Prop := symmetric n a /\ forall x, 0 <= form n a x.
Definition loewner (n : nat) (a b : mat) : Prop := psd n (minus b a).
Definition mean {Omega : Type} (E : (Omega -> R) -> R) (a : Omega -> mat) : mat := fun i j => E (fun w => a w i j).

(** Blocks: small matrices whose entries are matrices. *)
Definition block_times (n : nat) := gmul zero plus (times n).
Definition block_plus := gzip plus.
Definition block_minus := gzip minus.
Definition block_scale (c : R) := gmap (scale c).
Definition block_flip (x : list (list mat)) := gmap flip (transpose x).
Definition block_mean {Omega : Type} (E : (Omega -> R) -> R) (r c : nat) (x : Omega -> list (list mat)) : list (list mat) :=
  map (fun i => map (fun j => mean E (fun w => gentry zero (x w) i j)) (seq 1 c)) (seq 1 r).
Definition block_eq (n : nat) := Forall2 (Forall2 (meq n)).

Lemma nsum_scale n c f : nsum n (fun k => c * f k) = c * nsum n f.
Proof. induction n; simpl; [ring|]. rewrite IHn; ring. Qed.
Lemma nsum_scale_r n c f : nsum n (fun k => f k * c) = nsum n f * c.
Proof. induction n; simpl; [ring|]. rewrite IHn; ring. Qed.
Lemma nsum_plus n f g : nsum n (fun k => f k + g k) = nsum n f + nsum n g.
Proof. induction n; simpl; [ring|]. rewrite IHn; ring. Qed.
Lemma nsum_zero n : nsum n (fun _ => 0) = 0. Proof. induction n; simpl; lra. Qed.
Lemma nsum_swap n m f : nsum n (fun i => nsum m (fun j => f i j)) = nsum m (fun j => nsum n (fun i => f i j)).
Proof. induction n; simpl; [rewrite nsum_zero; reflexivity|]. rewrite IHn, nsum_plus. reflexivity. Qed.
Lemma nsum_pick n i (f : nat -> R) : (i < n)%nat -> nsum n (fun k => one i k * f k) = f i.
Proof.
  unfold one. intros L.
  assert (N : forall m, (m <= i)%nat -> nsum m (fun k => (if Nat.eqb i k then 1 else 0) * f k) = 0).
  { induction m; simpl; intros M; [reflexivity|]. rewrite IHm by lia.
    replace (Nat.eqb i m) with false by (symmetry; apply Nat.eqb_neq; lia). ring. }
  induction n; simpl; [lia|]. destruct (Nat.eq_dec i n) as [->|D].
  - rewrite N by lia. rewrite Nat.eqb_refl. ring.
  - rewrite IHn by lia. replace (Nat.eqb i n) with false by (symmetry; apply Nat.eqb_neq; lia). ring.
Qed.
Lemma one_flip i j : one i j = one j i. Proof. unfold one. rewrite Nat.eqb_sym. reflexivity. Qed.

Lemma times_assoc n a b c i j : times n (times n a b) c i j = times n a (times n b c) i j.
Proof.
  unfold times. transitivity (nsum n (fun k => nsum n (fun l => a i l * b l k * c k j))).
  - apply nsum_ext; intros; rewrite nsum_scale_r; reflexivity.
  - rewrite nsum_swap. apply nsum_ext; intros. rewrite <- nsum_scale. apply nsum_ext; intros; ring.
Qed.
Lemma times_ext n a b c d : meq n a b -> meq n c d -> meq n (times n a c) (times n b d).
Proof. intros P Q i j Hi Hj. apply nsum_ext; intros; rewrite P, Q; auto. Qed.
Lemma trace_cycle n a b : trace n (times n a b) = trace n (times n b a).
Proof. unfold trace, times. rewrite nsum_swap. apply nsum_ext; intros; apply nsum_ext; intros; ring. Qed.
Lemma trace_nn n a : psd n a -> 0 <= trace n a.
Proof.
  intros (_ & P). apply nsum_pos. intros k Hk. specialize (P (one k)).
  replace (form n a (one k)) with (a k k) in P; [exact P|]. unfold form. symmetry.
  transitivity (nsum n (fun i => one k i * a i k)); [|apply (nsum_pick n k (fun i => a i k) Hk)].
  apply nsum_ext; intros i Hi. transitivity (nsum n (fun j => one k j * (one k i * a i j))).
  - apply nsum_ext; intros; ring.
  - rewrite (nsum_pick n k (fun j => one k i * a i j) Hk). ring.
Qed.
Lemma loewner_refl n a : loewner n a a.
Proof.
  split.
  - intros i j _ _. unfold flip, minus, opp, plus, scale. ring.
  - intros x. unfold form, minus, opp, plus, scale. apply nsum_pos; intros; apply nsum_pos; intros. replace (x k * (a k k0 + -1 * a k k0) * x k0) with 0 by ring. lra.
Qed.
Lemma psd_square n a : psd n (times n (flip a) a).
Proof.
  split.
  - intros i j _ _. unfold flip, times. apply nsum_ext; intros; ring.
  - intros x.
    assert (F : form n (times n (flip a) a) x = nsum n (fun i => nsum n (fun j => nsum n (fun k => x i * (a k i * a k j) * x j)))).
    { unfold form, times, flip. apply nsum_ext; intros i Hi; apply nsum_ext; intros j Hj.
      rewrite <- nsum_scale, <- nsum_scale_r. reflexivity. }
    rewrite F. replace (nsum n _) with (nsum n (fun k => nsum n (fun i => a k i * x i) ^ 2)).
    { apply nsum_pos; intros; apply sq_nn. }
    transitivity (nsum n (fun k => nsum n (fun i => nsum n (fun j => x i * (a k i * a k j) * x j)))).
    + apply nsum_ext; intros k Hk. transitivity (nsum n (fun i => a k i * x i * nsum n (fun j => a k j * x j))).
      * rewrite nsum_scale_r. ring.
      * apply nsum_ext; intros i Hi. rewrite <- nsum_scale. apply nsum_ext; intros; ring.
    + rewrite nsum_swap. apply nsum_ext; intros i Hi. apply nsum_swap.
Qed.

(** * Words in letters: sums of products that do not commute, in normal form *)

Inductive letter := Fixed (k : nat) (t : bool) | Drawn (k : nat) (t : bool) | Mean (w : list letter).
Inductive expr :=
  | One | Letter (k : nat) | Random (k : nat) | Add (a b : expr) | Scale (c : R) (a : expr) | Mul (a b : expr)
  | Flip (a : expr) | Expect (a : expr).

Section Words.
  Context {Omega : Type} (E : (Omega -> R) -> R) (HE : expectation E) (n : nat).
  Context (fixed : nat -> mat) (drawn : nat -> Omega -> mat) (sym : letter -> bool).

  Definition turned (t : bool) (a : mat) : mat := if t then flip a else a.
  Definition at_ (w : option Omega) (a : Omega -> mat) : mat := match w with None => zero | Some o => a o end.
  Fixpoint letter_val (w : option Omega) (l : letter) : mat :=
    match l with
    | Fixed k t => turned t (fixed k)
    | Drawn k t => turned t (at_ w (drawn k))
    | Mean u => mean E (fun o => fold_right (fun x v => times n (letter_val (Some o) x) v) one u)
    end.
  Definition word_val (w : option Omega) (u : list letter) : mat :=
    fold_right (fun x v => times n (letter_val w x) v) one u.
  Fixpoint poly_val (w : option Omega) (p : list (R * list letter)) : mat :=
    match p with [] => zero | (c, u) :: q => plus (scale c (word_val w u)) (poly_val w q) end.
  Fixpoint expr_val (w : option Omega) (e : expr) : mat :=
    match e with
    | One => one
    | Letter k => fixed k
    | Random k => at_ w (drawn k)
    | Add a b => plus (expr_val w a) (expr_val w b)
    | Scale c a => scale c (expr_val w a)
    | Mul a b => times n (expr_val w a) (expr_val w b)
    | Flip a => flip (expr_val w a)
    | Expect a => mean E (fun o => expr_val (Some o) a)
    end.

  Definition is_drawn (l : letter) : bool := match l with Drawn _ _ => true | _ => false end.
  Fixpoint flip_letter (l : letter) : letter :=
    match l with
    | Fixed k t => if sym (Fixed k false) then l else Fixed k (negb t)
    | Drawn k t => if sym (Drawn k false) then l else Drawn k (negb t)
    | Mean u => Mean (fold_left (fun v x => flip_letter x :: v) u [])
    end.
  Definition flip_word (u acc : list letter) : list letter := fold_left (fun v x => flip_letter x :: v) u acc.
  (** u P v P x with random P has the mean u M x: what stands outside of the first and the last random letter leaves. *)
  Fixpoint last_part (u : list letter) : list letter * list letter :=
    match u with
    | [] => ([], [])
    | x :: v => let (m, r) := last_part v in
        match m with [] => if is_drawn x then ([x], r) else ([], x :: r) | _ => (x :: m, r) end
    end.
  Fixpoint expect_word (u : list letter) : list letter :=
    match u with
    | [] => []
    | x :: v => if is_drawn x then let (m, r) := last_part u in Mean m :: r else x :: expect_word v
    end.
  Definition scale_poly (c : R) (p : list (R * list letter)) := map (fun t => (c * fst t, snd t)) p.
  Fixpoint mul_poly (p q : list (R * list letter)) : list (R * list letter) :=
    match p with [] => [] | (c, u) :: r => map (fun t => (c * fst t, u ++ snd t)) q ++ mul_poly r q end.
  Fixpoint norm (e : expr) : list (R * list letter) :=
    match e with
    | One => [(1, [])]
    | Letter k => [(1, [Fixed k false])]
    | Random k => [(1, [Drawn k false])]
    | Add a b => norm a ++ norm b
    | Scale c a => scale_poly c (norm a)
    | Mul a b => mul_poly (norm a) (norm b)
    | Flip a => map (fun t => (fst t, flip_word (snd t) [])) (norm a)
    | Expect a => map (fun t => (fst t, expect_word (snd t))) (norm a)
    end.
  Definition symmetric_letters : Prop :=
    (forall k, sym (Fixed k false) = true -> symmetric n (fixed k)) /\
    (forall k, sym (Drawn k false) = true -> forall o, symmetric n (drawn k o)).

  Lemma mean_word w u : letter_val w (Mean u) = mean E (fun o => word_val (Some o) u).
  Proof. reflexivity. Qed.
  Lemma E_ext f g : (forall o, f o = g o) -> E f = E g.
  Proof. intros P. apply (f_ext (e_functional _ HE)). intros o _. apply P. Qed.
  Lemma E_scale c f : E (fun o => c * f o) = c * E f.
  Proof.
    rewrite (E_ext (fun o => c * f o) (fun o => c * f o + 0)) by (intro; ring).
    rewrite (f_lin _ _ (e_functional _ HE) c f (fun _ => 0)), (f_zero (e_functional _ HE)). ring.
  Qed.
  Lemma E_plus f g : E (fun o => f o + g o) = E f + E g.
  Proof.
    rewrite (E_ext (fun o => f o + g o) (fun o => 1 * f o + g o)) by (intro; ring).
    rewrite (f_lin _ _ (e_functional _ HE) 1 f g). ring.
  Qed.
  Lemma E_nsum m f : E (fun o => nsum m (fun k => f k o)) = nsum m (fun k => E (f k)).
  Proof. induction m; simpl; [apply (f_zero (e_functional _ HE))|]. rewrite E_plus, IHm. reflexivity. Qed.
  Lemma mean_ext a b : (forall o, meq n (a o) (b o)) -> meq n (mean E a) (mean E b).
  Proof. intros P i j Hi Hj. apply E_ext. intro o. apply P; auto. Qed.
  Lemma mean_left a b i j : mean E (fun o => times n a (b o)) i j = times n a (mean E b) i j.
  Proof. unfold mean, times. rewrite E_nsum. apply nsum_ext; intros. apply E_scale. Qed.
  Lemma mean_right a b i j : mean E (fun o => times n (a o) b) i j = times n (mean E a) b i j.
  Proof.
    unfold mean, times. rewrite E_nsum. apply nsum_ext; intros.
    rewrite (E_ext (fun o => a o i k * b k j) (fun o => b k j * a o i k)) by (intro; ring). rewrite E_scale. ring.
  Qed.

  Lemma meq_refl a : meq n a a. Proof. intros i j _ _; reflexivity. Qed.
  Lemma meq_trans a b c : meq n a b -> meq n b c -> meq n a c.
  Proof. intros P Q i j Hi Hj. rewrite P, Q; auto. Qed.
  Lemma meq_sym a b : meq n a b -> meq n b a. Proof. intros P i j Hi Hj. rewrite P; auto. Qed.
  Lemma times_one_l a : meq n (times n one a) a.
  Proof. intros i j Hi _. apply (nsum_pick n i (fun k => a k j) Hi). Qed.
  Lemma times_one_r a : meq n (times n a one) a.
  Proof.
    intros i j _ Hj. unfold times. transitivity (nsum n (fun k => one j k * a i k)).
    - apply nsum_ext; intros; rewrite (one_flip k j); ring.
    - apply nsum_pick, Hj.
  Qed.
  Lemma word_app w u v : meq n (word_val w (u ++ v)) (times n (word_val w u) (word_val w v)).
  Proof.
    induction u as [|x u IH]; simpl; [apply meq_sym, times_one_l|].
    intros i j Hi Hj. rewrite times_assoc. apply times_ext; auto using meq_refl.
  Qed.
  Lemma poly_app w p q : meq n (poly_val w (p ++ q)) (plus (poly_val w p) (poly_val w q)).
  Proof.
    intros i j Hi Hj. induction p as [|(c, u) p IH]; simpl; unfold plus in *; [unfold zero; ring|]. rewrite IH. ring.
  Qed.
  Lemma poly_scale w c p : meq n (poly_val w (scale_poly c p)) (scale c (poly_val w p)).
  Proof.
    intros i j Hi Hj. induction p as [|(d, u) p IH]; simpl; unfold plus, scale, zero in *; [ring|]. rewrite IH. ring.
  Qed.
  Lemma poly_word w c u q :
    meq n (poly_val w (map (fun t => (c * fst t, u ++ snd t)) q)) (scale c (times n (word_val w u) (poly_val w q))).
  Proof.
    intros i j Hi Hj. induction q as [|(d, v) q IH]; simpl.
    - unfold scale, times, zero. rewrite (nsum_ext n _ (fun _ => 0)) by (intros; ring). rewrite nsum_zero. ring.
    - unfold plus at 1. rewrite IH. unfold scale. rewrite (word_app w u v i j Hi Hj). unfold times, plus, scale.
      rewrite (nsum_ext n (fun k => word_val w u i k * (d * word_val w v k j + poly_val w q k j))
        (fun k => d * (word_val w u i k * word_val w v k j) + word_val w u i k * poly_val w q k j)) by (intros; ring).
      rewrite nsum_lin. ring.
  Qed.
  Lemma poly_mul w p q : meq n (poly_val w (mul_poly p q)) (times n (poly_val w p) (poly_val w q)).
  Proof.
    intros i j Hi Hj. induction p as [|(c, u) p IH]; simpl.
    - unfold times, zero. rewrite (nsum_ext n _ (fun _ => 0)) by (intros; ring). rewrite nsum_zero. reflexivity.
    - rewrite (poly_app w _ _ i j Hi Hj). unfold plus at 1. rewrite IH, (poly_word w c u q i j Hi Hj).
      unfold scale, times, plus.
      rewrite (nsum_ext n (fun k => (c * word_val w u i k + poly_val w p i k) * poly_val w q k j)
        (fun k => c * (word_val w u i k * poly_val w q k j) + poly_val w p i k * poly_val w q k j)) by (intros; ring).
      rewrite nsum_lin. reflexivity.
  Qed.

  Lemma flip_times a b i j : flip (times n a b) i j = times n (flip b) (flip a) i j.
  Proof. unfold flip, times. apply nsum_ext; intros; ring. Qed.
  Lemma flip_word_app u acc : flip_word u acc = flip_word u [] ++ acc.
  Proof.
    revert acc. induction u as [|x u IH]; simpl; intros; [reflexivity|].
    rewrite (IH (flip_letter x :: acc)), (IH [flip_letter x]), <- app_assoc. reflexivity.
  Qed.

  Fixpoint height (l : letter) : nat :=
    match l with
    | Mean u => S (fold_right (fun x m => Nat.max (height x) m) O u)
    | _ => O
    end.
  Definition heights (u : list letter) : nat := fold_right (fun x m => Nat.max (height x) m) O u.

  Lemma turned_sym t a : symmetric n a -> meq n (turned t a) (flip (turned t a)).
  Proof. intros P i j Hi Hj. destruct t; simpl; [exact (P i j Hi Hj) | symmetry; exact (P i j Hi Hj)]. Qed.
  Lemma turned_negb t a : meq n (turned (negb t) a) (flip (turned t a)).
  Proof. intros i j _ _. destruct t; reflexivity. Qed.

  Lemma flip_val (S_ : symmetric_letters) : forall h,
    (forall l, (height l <= h)%nat -> forall w, meq n (letter_val w (flip_letter l)) (flip (letter_val w l))) /\
    (forall u, (heights u <= h)%nat -> forall w, meq n (word_val w (flip_word u [])) (flip (word_val w u))).
  Proof.
    assert (W : forall h, (forall l, (height l <= h)%nat -> forall w, meq n (letter_val w (flip_letter l)) (flip (letter_val w l))) ->
      forall u, (heights u <= h)%nat -> forall w, meq n (word_val w (flip_word u [])) (flip (word_val w u))).
    { intros h L u. induction u as [|x u IH]; simpl; intros Hu w.
      - intros i j _ _. unfold flip. apply one_flip.
      - rewrite flip_word_app. eapply meq_trans; [apply word_app|]. intros i j Hi Hj. rewrite flip_times.
        apply times_ext; auto; [apply IH; lia|]. simpl. eapply meq_trans; [apply times_one_r|]. apply L. lia. }
    induction h as [|h IH].
    - assert (L0 : forall l, (height l <= 0)%nat -> forall w, meq n (letter_val w (flip_letter l)) (flip (letter_val w l))).
      { destruct S_ as (SF & SD). intros l Hl w; destruct l as [k t|k t|u]; simpl in Hl; try lia; simpl.
        - destruct (sym _) eqn:Q; [apply turned_sym, SF, Q | apply turned_negb].
        - destruct (sym _) eqn:Q; [|apply turned_negb].
          apply turned_sym. destruct w as [o|]; simpl; [apply SD, Q | intros i j _ _; reflexivity]. }
      split; [exact L0 | apply W, L0].
    - assert (LL : forall l, (height l <= S h)%nat -> forall w, meq n (letter_val w (flip_letter l)) (flip (letter_val w l))).
      { intros l Hl w. destruct l as [k t|k t|u]; [apply (proj1 IH); simpl; lia | apply (proj1 IH); simpl; lia |].
        change (flip_letter (Mean u)) with (Mean (flip_word u [])). rewrite !mean_word.
        assert (Hu : (heights u <= h)%nat) by (simpl in Hl; change (S (heights u) <= S h)%nat in Hl; lia).
        intros i j Hi Hj. unfold flip, mean. apply E_ext. intro o. exact (proj2 IH u Hu (Some o) i j Hi Hj). }
      split; [exact LL | apply W, LL].
  Qed.
  Lemma flip_poly (S_ : symmetric_letters) w p :
    meq n (poly_val w (map (fun t => (fst t, flip_word (snd t) [])) p)) (flip (poly_val w p)).
  Proof.
    intros i j Hi Hj. induction p as [|(c, u) p IH]; simpl; [reflexivity|].
    unfold plus, scale, flip in *. rewrite IH, (proj2 (flip_val S_ (heights u)) u (le_n _) w i j Hi Hj). reflexivity.
  Qed.

  (** Letters without a random part have one value at every outcome. *)
  Lemma word_still u : existsb is_drawn u = false -> forall v w, word_val v u = word_val w u.
  Proof.
    induction u as [|x u IH]; simpl; intros N v w; [reflexivity|]. apply Bool.orb_false_iff in N. destruct N as (N & M).
    change (times n (letter_val v x) (word_val v u) = times n (letter_val w x) (word_val w u)).
    rewrite (IH M v w). destruct x; simpl in N; [reflexivity | discriminate | reflexivity].
  Qed.
  Lemma last_part_spec u : u = fst (last_part u) ++ snd (last_part u) /\ existsb is_drawn (snd (last_part u)) = false.
  Proof.
    induction u as [|x u (P & Q)]; simpl; [auto|]. destruct (last_part u) as (m, r); simpl in *.
    destruct m as [|y m]; [destruct (is_drawn x) eqn:D|]; simpl in *; subst; simpl; rewrite ?D; auto.
  Qed.
  Lemma expect_val u w : meq n (word_val w (expect_word u)) (mean E (fun o => word_val (Some o) u)).
  Proof.
    induction u as [|x u IH].
    - intros i j _ _. unfold mean. simpl. transitivity (one i j * E (fun _ => 1)).
      + rewrite (e_one _ HE). simpl. ring.
      + rewrite <- E_scale. apply E_ext. intro. simpl. ring.
    - change (expect_word (x :: u)) with
        (if is_drawn x then let (m, r) := last_part (x :: u) in Mean m :: r else x :: expect_word u).
      destruct (is_drawn x) eqn:D.
      + destruct (last_part_spec (x :: u)) as (P & Q). destruct (last_part (x :: u)) as (m, r) eqn:L.
        simpl in P, Q.
        apply meq_trans with (mean E (fun o => times n (word_val (Some o) m) (word_val (Some o) r))).
        * intros i j Hi Hj. change (word_val w (Mean m :: r)) with (times n (letter_val w (Mean m)) (word_val w r)).
          rewrite mean_word. symmetry.
          transitivity (mean E (fun o => times n (word_val (Some o) m) (word_val w r)) i j); [|apply mean_right].
          unfold mean. apply E_ext. intro o. rewrite (word_still r Q (Some o) w). reflexivity.
        * apply mean_ext. intro o. rewrite P. apply meq_sym, word_app.
      + intros i j Hi Hj. change (word_val w (x :: expect_word u)) with (times n (letter_val w x) (word_val w (expect_word u))).
        transitivity (times n (letter_val w x) (mean E (fun o => word_val (Some o) u)) i j).
        { apply times_ext; auto using meq_refl. }
        rewrite <- mean_left. unfold mean. apply E_ext. intro o.
        change (word_val (Some o) (x :: u)) with (times n (letter_val (Some o) x) (word_val (Some o) u)).
        destruct x; simpl in D; [reflexivity | discriminate | reflexivity].
  Qed.
  Lemma expect_poly w p :
    meq n (poly_val w (map (fun t => (fst t, expect_word (snd t))) p)) (mean E (fun o => poly_val (Some o) p)).
  Proof.
    intros i j Hi Hj. induction p as [|(c, u) p IH]; simpl.
    - unfold mean, zero. symmetry. apply (f_zero (e_functional _ HE)).
    - unfold plus, scale, mean in *. rewrite IH, (expect_val u w i j Hi Hj), E_plus, E_scale. reflexivity.
  Qed.
  Theorem norm_val (S_ : symmetric_letters) e : forall w, meq n (expr_val w e) (poly_val w (norm e)).
  Proof.
    assert (U : forall w u, meq n (word_val w u) (poly_val w [(1, u)])).
    { intros w u i j _ _. simpl. unfold plus, scale, zero. ring. }
    induction e; intros w; simpl norm.
    - exact (U w []).
    - eapply meq_trans; [|exact (U w [Fixed k false])]. apply meq_sym. exact (times_one_r (fixed k)).
    - eapply meq_trans; [|exact (U w [Drawn k false])]. apply meq_sym. exact (times_one_r (at_ w (drawn k))).
    - intros i j Hi Hj. rewrite (poly_app w _ _ i j Hi Hj). simpl. unfold plus. rewrite IHe1, IHe2; auto.
    - intros i j Hi Hj. rewrite (poly_scale w _ _ i j Hi Hj). simpl. unfold scale. rewrite IHe; auto.
    - intros i j Hi Hj. rewrite (poly_mul w _ _ i j Hi Hj). simpl. apply times_ext; auto.
    - intros i j Hi Hj. rewrite (flip_poly S_ w _ i j Hi Hj). simpl. unfold flip. apply IHe; auto.
    - intros i j Hi Hj. rewrite (expect_poly w _ i j Hi Hj). simpl. apply mean_ext; auto.
  Qed.

  (** Equal words are collected; the sum is zero when every collected coefficient is. *)
  Fixpoint add_term (same : list letter -> list letter -> bool) (t : R * list letter) (p : list (R * list letter)) :=
    match p with
    | [] => [t]
    | s :: q => if same (snd t) (snd s) then (fst t + fst s, snd s) :: q else s :: add_term same t q
    end.
  Definition collect same (p : list (R * list letter)) := fold_right (add_term same) [] p.
  Lemma add_term_val same w t p : (forall u v, same u v = true -> u = v) ->
    meq n (poly_val w (add_term same t p)) (poly_val w (t :: p)).
  Proof.
    intros Q i j Hi Hj. destruct t as (c, u). induction p as [|(d, v) p IH]; [reflexivity|]. simpl add_term.
    destruct (same u v) eqn:B; simpl; unfold plus, scale in *.
    - rewrite (Q u v B). ring.
    - rewrite IH. simpl. unfold plus, scale. ring.
  Qed.
  Lemma collect_val same w p : (forall u v, same u v = true -> u = v) ->
    meq n (poly_val w (collect same p)) (poly_val w p).
  Proof.
    intros Q i j Hi Hj. induction p as [|t p IH]; [reflexivity|].
    change (collect same (t :: p)) with (add_term same t (collect same p)).
    rewrite (add_term_val same w t _ Q i j Hi Hj). destruct t as (c, u).
    change (plus (scale c (word_val w u)) (poly_val w (collect same p)) i j = plus (scale c (word_val w u)) (poly_val w p) i j).
    unfold plus. rewrite IH. reflexivity.
  Qed.
  Lemma zeros_val w p : Forall (fun t => fst t = 0) p -> meq n (poly_val w p) zero.
  Proof.
    intros F i j _ _. induction F as [|(c, u) p H F IH]; [reflexivity|]. simpl in *. unfold plus, scale. rewrite IH, H.
    unfold zero. ring.
  Qed.
End Words.

Fixpoint same_letter (a b : letter) : bool :=
  match a, b with
  | Fixed k t, Fixed l u => andb (Nat.eqb k l) (Bool.eqb t u)
  | Drawn k t, Drawn l u => andb (Nat.eqb k l) (Bool.eqb t u)
  | Mean u, Mean v =>
      (fix go u v := match u, v with [], [] => true | x :: u, y :: v => andb (same_letter x y) (go u v) | _, _ => false end) u v
  | _, _ => false
  end.
Fixpoint same_word (u v : list letter) : bool :=
  match u, v with [], [] => true | x :: u, y :: v => andb (same_letter x y) (same_word u v) | _, _ => false end.
Lemma same_letter_eq : forall h a, (height a <= h)%nat -> forall b, same_letter a b = true -> a = b.
Proof.
  assert (W : forall h, (forall a, (height a <= h)%nat -> forall b, same_letter a b = true -> a = b) ->
    forall u, (heights u <= h)%nat -> forall v, same_word u v = true -> u = v).
  { intros h L u. induction u as [|x u IH]; intros Hu v Q; destruct v as [|y v]; simpl in Q; try discriminate; [reflexivity|].
    apply andb_prop in Q. destruct Q as (Q & P).
    change (Nat.max (height x) (heights u) <= h)%nat in Hu.
    assert (A1 : (height x <= h)%nat) by lia. assert (A2 : (heights u <= h)%nat) by lia.
    rewrite (L x A1 y Q), (IH A2 v P). reflexivity. }
  induction h as [|h IH]; intros a Ha b Q; destruct a as [k t|k t|u]; destruct b as [l s|l s|v]; simpl in Q; try discriminate;
    try (apply andb_prop in Q; destruct Q as (Q & P); apply Nat.eqb_eq in Q; apply Bool.eqb_prop in P; subst; reflexivity).
  - simpl in Ha. lia.
  - f_equal. apply (W h IH u); [change (S (heights u) <= S h)%nat in Ha; lia|].
    clear - Q. revert v Q. induction u as [|x u IHu]; intros [|y v] Q; try discriminate; [reflexivity|].
    simpl. apply andb_prop in Q. destruct Q as (Q & P). rewrite Q. apply IHu, P.
Qed.
Lemma same_word_eq u : forall v, same_word u v = true -> u = v.
Proof.
  induction u as [|x u IH]; intros [|y v] Q; simpl in Q; try discriminate; [reflexivity|].
  apply andb_prop in Q. destruct Q as (Q & P). rewrite (same_letter_eq (height x) x (le_n _) y Q), (IH v P). reflexivity.
Qed.

(** Two expressions are equal matrices of every size when the collected coefficients of their difference vanish. *)
Theorem words {Omega : Type} (E : (Omega -> R) -> R) (HE : expectation E) n fixed drawn sym a b :
  symmetric_letters n fixed drawn sym ->
  Forall (fun t => fst t = 0) (collect same_word (norm sym (Add a (Scale (-1) b)))) ->
  meq n (expr_val E n fixed drawn None a) (expr_val E n fixed drawn None b).
Proof.
  intros S_ Z i j Hi Hj. set (d := Add a (Scale (-1) b)) in *.
  assert (P := norm_val E HE n fixed drawn sym S_ d None i j Hi Hj).
  assert (Q := collect_val E n fixed drawn same_word None (norm sym d) same_word_eq i j Hi Hj).
  assert (V := zeros_val E n fixed drawn None _ Z i j Hi Hj).
  rewrite <- P, V in Q. unfold d in Q. simpl in Q. unfold plus, scale, zero in Q. lra.
Qed.
Lemma no_mean : expectation (fun f : unit -> R => f tt).
Proof. split; [split|]; intros; auto. apply H. exact I. Qed.
Ltac by_words := cbv -[Rplus Rmult Ropp Rminus Rinv Rdiv pow IZR INR]; repeat (apply Forall_cons || apply Forall_nil); cbv beta iota.
Ltac known_letter k := destruct k as [|k]; [simpl; first [discriminate | intros _; auto] | ].
Ltac no_letter k := destruct k; simpl; discriminate.
