(** Nested.v: a loop inside a loop, and recursions with parameters.

    A step of the outer loop draws a whole path of the inner one; the mean over such paths may be taken in any order, as
    the mean over samples may. Numbers that are linear in means become one mean, and are compared at every outcome. *)

Require Export LemmaLab.Forms.

Lemma history_sampling {S : Type} (E : (S -> R) -> R) (HE : sampling E) (h0 : nat -> S) (T : nat) : sampling (history E h0 T).
Proof. split; [apply history_expectation; exact HE | intros f; apply history_swaps; exact HE]. Qed.

(** * One mean around a number *)

Section Outside.
  Context {W : Type} (F : (W -> R) -> R) (H : expectation F).
  Lemma out_const c : c = F (fun _ => c).
  Proof. symmetry. apply (m_const F H). Qed.
  Lemma out_plus a b f g : a = F f -> b = F g -> a + b = F (fun w => f w + g w).
  Proof. intros -> ->. symmetry. apply (m_plus F H). Qed.
  Lemma out_scale c a f : a = F f -> c * a = F (fun w => c * f w).
  Proof. intros ->. symmetry. apply (m_scale F H). Qed.
  Lemma out_scale_r c a f : a = F f -> a * c = F (fun w => f w * c).
  Proof. intros ->. symmetry. apply (m_scale_r F H). Qed.
  Lemma out_over c a f : a = F f -> a / c = F (fun w => f w / c).
  Proof. exact (out_scale_r (/ c) a f). Qed.
  Lemma out_opp a f : a = F f -> - a = F (fun w => - f w).
  Proof.
    intros A. replace (- a) with ((-1) * a) by ring. rewrite (out_scale (-1) a f A).
    apply (m_ext F H). intro; ring.
  Qed.
  Lemma out_minus a b f g : a = F f -> b = F g -> a - b = F (fun w => f w - g w).
  Proof. intros A B. exact (out_plus a (- b) f (fun w => - g w) A (out_opp b g B)). Qed.
End Outside.

Lemma none_factor c a : c = 0 -> scale c a = zero.
Proof. intros ->. apply fm_ext; intros; unfold scale, zero; ring. Qed.

(** * Recursions with parameters *)

Lemma inr_one : INR 1 = 1. Proof. reflexivity. Qed.
Ltac one_more := rewrite ?plus_INR, ?inr_one.
Ltac all_sizes := solve [repeat sizes].
Ltac settle_path k Q A :=
  first
  [ exfalso; solve [discriminate Q | destruct k; discriminate Q]
  | destruct k as [|k];
      [first [discriminate Q | reflexivity
         | unfold letter_at; cbn [nth fst snd]; first [reflexivity
             | match goal with D : forall t g h, agree t g h -> _ |- _ =>
                 solve [apply D; first [apply agree_less with (2 := A); cbn [nth]; lia | all_sizes]
                       | f_equal; apply D; first [apply agree_less with (2 := A); cbn [nth]; lia | all_sizes]] end]]
      | cbn [nth] in Q; settle_path k Q A] ].
Ltac settled_paths := cbn [settled_all]; repeat match goal with |- _ /\ _ => split end; try exact I;
  unfold settled_fine; let k := fresh in let Q := fresh in let g := fresh in let h := fresh in let A := fresh in
  intros k Q g h A; settle_path k Q A.
