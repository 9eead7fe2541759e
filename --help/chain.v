(** * chain *)

Require Import LemmaLab.Matrices.
Set Default Timeout 600.

(** chain
    given 1/a < b
    given b < c
    then 1/a < c *)
Theorem chain :
forall (a : R) (b : R) (c : R),
  a <> 0 ->
  (1 / a) < b ->
  b < c ->
  a <> 0 /\
  (1 / a) < c.
Proof.
  intros a b c N0_0' F0' F1'.
  (* 1/a < c *)
  assert (G'1 : (1 / a) < c).
  {
    destruct (diff_lt _ _ F0') as (d'2 & Ed'2 & Sd'2).
    destruct (diff_lt _ _ F1') as (d'3 & Ed'3 & Sd'3).
    assert (I'4 : (1) * (c - (1 / a)) = 1 * d'2 + 1 * d'3).
    {
      rewrite Ed'2, Ed'3.
      assert (Z'5 : a <> 0) by exact N0_0'.
      field; repeat split; first [nz | nz_as a].
    }
    apply (cone_lt (1) _ _ _) with (2 := I'4); [pp | pp].
  }
  exact (conj N0_0' G'1).
Qed.

(** What they rest on. *)
Definition all_of_chain := chain.
Print Assumptions all_of_chain.
