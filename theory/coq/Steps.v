(** Steps.v: what a point makes of a recursion, step by step in rationals, and counts that are not written in unary. *)

Require Import LemmaLab.LemmaLab QArith Qreals.
Open Scope R_scope.

Lemma INR_of_Z z : (0 <=? z)%Z = true -> INR (Z.to_nat z) = IZR z.
Proof. intros H. rewrite INR_IZR_INZ, Z2Nat.id; [reflexivity | apply Z.leb_le, H]. Qed.
Ltac counts_in H := repeat match type of H with context [INR (Z.to_nat ?z)] => rewrite (INR_of_Z z eq_refl) in H end.

(** A state after n more steps. *)
Lemma steps_on {A : Type} (f : A -> A) n x y z : f x = y -> Nat.iter n f y = z -> Nat.iter (S n) f x = z.
Proof. intros <- <-. induction n as [|n IH]; [reflexivity|]. simpl in *. rewrite IH. reflexivity. Qed.
Lemma steps_done {A : Type} (f : A -> A) x : Nat.iter O f x = x. Proof. reflexivity. Qed.
Lemma closed_is e p q : closed_q e = Some (p # q)%Q -> closed_val e = IZR p / IZR (Zpos q).
Proof. intros H. rewrite (closed_sound e _ H). reflexivity. Qed.
Ltac literal := lazymatch goal with |- ?t = _ =>
  let x := reify t in let v := eval vm_compute in (closed_q x) in
  lazymatch v with Some (?p # ?q)%Q => exact (closed_is x p q (@eq_refl (option Q) v <: closed_q x = v)) end end.
Ltac literals := lazymatch goal with
  | |- [] = _ => reflexivity
  | |- (_ :: _) :: _ = _ => eapply cons_eq; [literals | literals]
  | |- [] :: _ = _ => eapply cons_eq; [reflexivity | literals]
  | |- _ :: _ = _ => eapply cons_eq; [literal | literals]
  end.
Ltac steps n := lazymatch n with
  | O => apply steps_done
  | S ?m => eapply steps_on; [computed; literals | steps m]
  end.
(** The recursions in a hypothesis, inner ones first, are replaced by the states that they reach. *)
Ltac steps_in H := repeat match type of H with context [Nat.iter ?n ?f ?x] =>
  lazymatch x with context [Nat.iter _ _ _] => fail | _ => idtac end;
  let k := eval vm_compute in n in
  let E := fresh in eassert (E : Nat.iter n f x = _);
    [change n with k; let Y := fresh in
     eassert (Y : x = _) by (computed; literals); rewrite Y; clear Y; steps k | rewrite E in H; clear E]
  end.
