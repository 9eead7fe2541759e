(** Counting.v: indices, inductions from any start, sums and products without their first or last term. *)

Require Export LemmaLab.LemmaLab.

(** * Products over the integers lo <= i <= hi, one when there are none *)

Fixpoint nprod (n : nat) (f : nat -> R) : R := match n with O => 1 | S m => nprod m f * f m end.
Definition zprod (lo hi : Z) (f : Z -> R) : R := nprod (Z.to_nat (hi - lo + 1)) (fun k => f (lo + Z.of_nat k)%Z).

Lemma zprod_empty lo hi f : (hi < lo)%Z -> zprod lo hi f = 1.
Proof. intros. unfold zprod. replace (Z.to_nat (hi - lo + 1)) with O by lia. reflexivity. Qed.
Lemma zprod_last lo hi f : (lo <= hi)%Z -> zprod lo hi f = zprod lo (hi - 1) f * f hi.
Proof.
  intros. unfold zprod. replace (Z.to_nat (hi - lo + 1)) with (S (Z.to_nat (hi - 1 - lo + 1))) by lia.
  simpl. f_equal. f_equal. lia.
Qed.
Lemma zprod_first lo hi f : (lo <= hi)%Z -> zprod lo hi f = f lo * zprod (lo + 1) hi f.
Proof.
  intros. unfold zprod. replace (Z.to_nat (hi - lo + 1)) with (S (Z.to_nat (hi - (lo + 1) + 1))) by lia.
  induction (Z.to_nat (hi - (lo + 1) + 1)) as [|n IH].
  - simpl. replace (lo + 0)%Z with lo by lia. ring.
  - change (nprod (S (S n)) ?g) with (nprod (S n) g * g (S n)). rewrite IH. simpl.
    replace (lo + Z.of_nat (S n))%Z with (lo + 1 + Z.of_nat n)%Z by lia.
    replace (lo + Z.pos (Pos.of_succ_nat n))%Z with (lo + 1 + Z.of_nat n)%Z by lia. ring.
Qed.
Global Opaque zprod.

(** * The first or the last term apart: h is the new end, t the term *)

Lemma sum_last lo hi h f t : (lo <= hi)%Z -> h = (hi - 1)%Z -> f hi = t -> zsum lo hi f = zsum lo h f + t.
Proof. intros L -> <-. apply zsum_last, L. Qed.
Lemma sum_first lo hi l f t : (lo <= hi)%Z -> l = (lo + 1)%Z -> f lo = t -> zsum lo hi f = zsum l hi f + t.
Proof. intros L -> <-. rewrite (zsum_first lo hi f L). ring. Qed.
Lemma prod_last lo hi h f t : (lo <= hi)%Z -> h = (hi - 1)%Z -> f hi = t -> zprod lo hi f = zprod lo h f * t.
Proof. intros L -> <-. apply zprod_last, L. Qed.
Lemma prod_first lo hi l f t : (lo <= hi)%Z -> l = (lo + 1)%Z -> f lo = t -> zprod lo hi f = zprod l hi f * t.
Proof. intros L -> <-. rewrite (zprod_first lo hi f L). ring. Qed.
Lemma iter_last {A} n m (f : A -> A) x : n = S m -> Nat.iter n f x = f (Nat.iter m f x).
Proof. intros ->. reflexivity. Qed.
Lemma iter_none {A} n (f : A -> A) x : n = O -> Nat.iter n f x = x. Proof. intros ->. reflexivity. Qed.

(** * Induction from any start, with all earlier cases *)

Lemma count_up (s : nat) (P : nat -> Prop) :
  P s -> (forall n, (s <= n)%nat -> (forall m, (s <= m <= n)%nat -> P m) -> P (n + 1)%nat) ->
  forall n, (s <= n)%nat -> P n.
Proof.
  intros B S_ n L. cut (forall m, (s <= m <= n)%nat -> P m); [intros Q; apply Q; lia|].
  induction n as [|n IH]; intros m M.
  - replace m with s by lia. exact B.
  - destruct (Nat.le_gt_cases s n) as [K|K]; [|replace m with s by lia; exact B].
    destruct (Nat.le_gt_cases m n) as [J|J]; [apply IH; lia|].
    replace m with (n + 1)%nat by lia. apply S_; [exact K | intros k Hk; apply IH; lia].
Qed.

(** * Counts, integers and reals that are written alike *)

Definition onward (lo i : Z) : Prop := (lo <= i)%Z.
Lemma counted i : (0 <= i)%Z -> exists n, i = Z.of_nat n. Proof. intros H. exists (Z.to_nat i). lia. Qed.
Lemma earlier_end {s k n : nat} (H : (s <= n <= k)%nat) e : k <= e -> n <= e.
Proof. intros L. apply Rle_trans with (2 := L), le_INR. lia. Qed.
Ltac within := unfold between, onward in *; first [lia | nia].
Ltac real_cast := rewrite ?INR_IZR_INZ, <- ?plus_IZR, <- ?minus_IZR, <- ?mult_IZR, <- ?opp_IZR; f_equal; within.
Ltac index_of H := unfold between, onward in H; rewrite ?INR_IZR_INZ;
  rewrite <- ?plus_IZR, <- ?minus_IZR, <- ?mult_IZR, <- ?opp_IZR; first [apply Rle_ge, IZR_le; within | apply IZR_le; within].
Ltac count_of H := index_of H.
Ltac by_reals := first [apply le_IZR | apply lt_IZR | apply INR_le | apply INR_eq | idtac];
  rewrite ?plus_IZR, ?minus_IZR, ?mult_IZR, ?opp_IZR, <- ?INR_IZR_INZ, ?plus_INR, ?mult_INR; simpl INR; lra.
Ltac inside_of_integers := first [within | by_reals].
Ltac inside := unfold between, onward; first [within | split; inside_of_integers | by_reals].
