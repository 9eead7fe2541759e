(** Indices.v: formulas that differ in how their indices are written are equal. *)

Require Import LemmaLab.Counting LemmaLab.Kinds FunctionalExtensionality.

Lemma matsum_ext lo hi f g : (forall i, between lo hi i -> f i = g i) -> matsum lo hi f = matsum lo hi g.
Proof.
  intros P. unfold matsum. assert (Q : forall n, (Z.of_nat n <= hi - lo + 1)%Z ->
    msum n (fun k => f (lo + Z.of_nat k)%Z) = msum n (fun k => g (lo + Z.of_nat k)%Z)).
  { induction n as [|n IH]; intros L; simpl; [reflexivity|]. rewrite IH by lia. rewrite P; [reflexivity|].
    unfold between. lia. }
  destruct (Z.le_gt_cases 0 (hi - lo + 1)); [apply Q; lia|].
  replace (Z.to_nat (hi - lo + 1)) with O by lia. reflexivity.
Qed.
Lemma matsum_alike lo hi l h f g : l = lo -> h = hi -> (forall i, between lo hi i -> f i = g i) -> matsum lo hi f = matsum l h g.
Proof. intros -> ->. apply matsum_ext. Qed.
Lemma zsum_alike lo hi l h f g : l = lo -> h = hi -> (forall i, between lo hi i -> f i = g i) -> zsum lo hi f = zsum l h g.
Proof. intros -> -> P. apply (f_ext (zsum_functional lo hi)). exact P. Qed.

(** There is a sequence that begins and goes on as told. *)
Lemma recursion_at {A : Type} (a : A) (F : nat -> A -> A) :
  exists f : nat -> A, f O = a /\ forall n, f (n + 1)%nat = F n (f n).
Proof.
  exists (fix f n := match n with O => a | S m => F m (f m) end). split; [reflexivity|].
  intros n. rewrite Nat.add_1_r. reflexivity.
Qed.

(** A product is not zero, so no factor is. *)
Lemma factors_nz a b : a * b <> 0 -> a <> 0 /\ b <> 0.
Proof. intros H. split; intros K; apply H; rewrite K; ring. Qed.
Ltac divisors_apart := repeat match goal with H : ?a * ?b <> 0 |- _ => apply factors_nz in H; destruct H end.

Ltac index_alike := first [lia | within | by_reals].
Ltac recount := lazymatch goal with
  | |- ?a = ?a => reflexivity
  | |- matsum _ _ _ = matsum _ _ _ => apply matsum_alike; [index_alike | index_alike | intros ? ?; cbv beta; recount]
  | |- zsum _ _ _ = zsum _ _ _ => apply zsum_alike; [index_alike | index_alike | intros ? ?; cbv beta; recount]
  | |- @eq nat _ _ => index_alike
  | |- @eq Z _ _ => index_alike
  | |- @eq (_ -> _) _ _ => apply functional_extensionality; intro; cbv beta; recount
  | |- @eq R _ _ => first [real_cast | progress f_equal; recount]
  | |- _ => progress f_equal; recount
  end.
Tactic Notation "rewrite_as" constr(P) "in" hyp(H) := let Q := type of H in replace Q with P in H by (symmetry; recount).
Ltac recast H := let P := type of H in lazymatch goal with |- ?Q => replace Q with P; [exact H | recount] end.
(** A premise that is known with its indices and ranges written otherwise. *)
Ltac alike H := first [exact H | recast H | let x := fresh in intro x;
  first [alike (H x) | lapply H; [let K := fresh in intro K; alike K | within]]].
Ltac feed T H := first [specialize (T H) | lapply T; [clear T; intro T | first [alike H | clear - H; lra]]].
