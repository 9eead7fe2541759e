(** Forms.v: formulas with matrices of every size, independent samples and histories have a normal form that Coq computes;
    nonnegative matrices add up. Nothing here is part of a statement. *)

Require Export LemmaLab.Kinds.
Require Import FunctionalExtensionality Bool.
Local Open Scope bool_scope.

(** * Formulas, and their normal form: sums of words in letters below means over independent samples *)

Definition size := list nat.  (* a sum of sizes that have a name; the name 0 is the size 1 *)
Inductive cx := CZ (z : Z) | CV (i : nat) | CN (i : nat) | CA (a b : cx) | CM (a b : cx).
Inductive mark := Nm (m : nat) | Ps (i : nat).  (* a sample: free, under its name, or bound, the outermost is 0 *)
Inductive atom := At (k : nat) (m : mark) (t : bool) | Up (r s : size) (t : bool) | Lo (r s : size) (t : bool) | Iden (s : size).
Definition word := list atom.
Definition key : Type := list nat * list word * word.  (* means, traces, word *)
Definition term : Type := cx * key.
Inductive ex :=
  | ML (k m : nat) | MI (s : size) | MO (r c : size) | MAdd (a b : ex) | MSub (a b : ex) | MOpp (a : ex) | MSc (x a : ex)
  | MMul (s : size) (a b : ex) | MT (a : ex) | ME (k m : nat) (a : ex) | MV (r s : size) (a b : ex)
  | MH (r s : size) (a b : ex) | MNum (x : ex)
  | NC (c : cx) | NL (k m : nat) | NAdd (x y : ex) | NSub (x y : ex) | NOpp (x : ex) | NMul (x y : ex)
  | NTr (s : size) (a : ex) | NAt (a : ex) | NE (k m : nat) (x : ex).
Record info := { i_rows : size; i_cols : size; i_sym : bool; i_inv : nat }.  (* i_inv = S k: the inverse of letter k *)

Definition size_dec : forall a b : size, {a = b} + {a <> b}. Proof. apply list_eq_dec, Nat.eq_dec. Defined.
Definition mark_dec : forall a b : mark, {a = b} + {a <> b}. Proof. decide equality; apply Nat.eq_dec. Defined.
Definition atom_dec : forall a b : atom, {a = b} + {a <> b}.
Proof. decide equality; first [apply Bool.bool_dec | apply Nat.eq_dec | apply size_dec | apply mark_dec]. Defined.
Definition word_dec : forall a b : word, {a = b} + {a <> b}. Proof. apply list_eq_dec, atom_dec. Defined.
Definition key_dec : forall a b : key, {a = b} + {a <> b}.
Proof. repeat (decide equality; try apply atom_dec). Defined.
Definition is {A : Type} {a b : A} (d : {a = b} + {a <> b}) : bool := if d then true else false.
Lemma is_true {A : Type} {a b : A} (d : {a = b} + {a <> b}) : is d = true -> a = b.
Proof. destruct d; [auto | discriminate]. Qed.

Definition fine (s : size) : bool := Nat.leb (length s) 8.
Definition unit_size : size := [O].

Section Form.
  Variable infos : list info.
  Variable win : list (list bool).  (* horizon by horizon: which letters are settled by then *)
  Definition nothing := {| i_rows := unit_size; i_cols := unit_size; i_sym := true; i_inv := O |}.
  Definition about (k : nat) : info := nth k infos nothing.
  Definition rows (a : atom) : size :=
    match a with
    | At k _ t => if t then i_cols (about k) else i_rows (about k)
    | Up r s t => if t then r else r ++ s
    | Lo r s t => if t then s else r ++ s
    | Iden s => s
    end.
  Definition turn (a : atom) : atom :=
    match a with
    | At k m t => if i_sym (about k) then a else At k m (negb t)
    | Up r s t => Up r s (negb t)
    | Lo r s t => Lo r s (negb t)
    | Iden s => a
    end.
  Definition cols (a : atom) : size :=
    match a with
    | At k _ t => if t then i_rows (about k) else i_cols (about k)
    | Up r s t => if t then r ++ s else r
    | Lo r s t => if t then r ++ s else s
    | Iden s => s
    end.
  Definition turn_word (u : word) : word := rev (map turn u).

  (** Neighbours that make something simpler. *)
  Definition pair (a b : atom) : option (list (Z * word)) :=
    match a, b with
    | Iden s, _ => if fine s && is (size_dec (rows b) s) then Some [(1%Z, [b])] else None
    | _, Iden s => if fine s && is (size_dec (cols a) s) then Some [(1%Z, [a])] else None
    | Up r s true, Up p q false => if fine (r ++ s) && is (size_dec r p) && is (size_dec s q) then Some [(1%Z, [Iden r])] else None
    | Up r s true, Lo p q false => if fine (r ++ s) && is (size_dec r p) && is (size_dec s q) then Some [] else None
    | Lo r s true, Up p q false => if fine (r ++ s) && is (size_dec r p) && is (size_dec s q) then Some [] else None
    | Lo r s true, Lo p q false => if fine (r ++ s) && is (size_dec r p) && is (size_dec s q) then Some [(1%Z, [Iden s])] else None
    | Up r s false, Up p q true => if fine (r ++ s) && is (size_dec r p) && is (size_dec s q)
        then Some [(1%Z, [Iden (r ++ s)]); ((-1)%Z, [Lo r s false; Lo r s true])] else None
    | At k m false, At l o false =>
        if Nat.eqb (i_inv (about k)) (S l) && is (mark_dec m o) && fine (i_rows (about k)) then Some [(1%Z, [Iden (i_rows (about k))])] else None
    | _, _ => None
    end.
  Fixpoint join (u : word) : option (list (Z * word)) :=
    match u with
    | a :: ((b :: v) as w) =>
        match pair a b with
        | Some l => Some (map (fun p => (fst p, snd p ++ v)) l)
        | None => option_map (map (fun p => (fst p, a :: snd p))) (join w)
        end
    | _ => None
    end.
  Fixpoint upto (u : word) : option (word * word) :=
    match u with
    | [] => None
    | a :: v => if is (size_dec (cols a) unit_size) then Some ([a], v)
                else option_map (fun p => (a :: fst p, snd p)) (upto v)
    end.
  Definition is_iden (a : atom) : bool := match a with Iden _ => true | _ => false end.
  (** A part of one row and one column leaves the word as a number. *)
  Fixpoint cut (u : word) : option (word * word) :=
    match u with
    | [] => None
    | a :: v =>
        let on := option_map (fun p => (fst p, a :: snd p)) (cut v) in
        if is (size_dec (rows a) unit_size) && negb (is_iden a)
        then match upto u with Some (x, w) => Some (x, Iden unit_size :: w) | None => on end
        else on
    end.
  Definition rot (u : word) : word := match u with [] => [] | a :: v => v ++ [a] end.
  Fixpoint rots (n : nat) (u : word) : list word := match n with O => [] | S m => u :: rots m (rot u) end.
  Definition start (u : word) : word :=
    match find (fun w => match w with a :: _ => is (size_dec (rows a) unit_size) | [] => false end) (rots (length u) u) with
    | Some w => w | None => u end.
  Definition csum (s : size) : cx := fold_right (fun i c => CA (CN i) c) (CZ 0) s.
  Fixpoint settle (n : nat) (u : word) : list (cx * list word) :=  (* the trace of u *)
    match n with
    | O => [(CZ 1, [u])]
    | S n =>
        match join u with
        | Some l => flat_map (fun p => map (fun q => (CM (CZ (fst p)) (fst q), snd q)) (settle n (snd p))) l
        | None =>
        match join (rot u) with
        | Some l => flat_map (fun p => map (fun q => (CM (CZ (fst p)) (fst q), snd q)) (settle n (snd p))) l
        | None =>
        match u with
        | [Iden s] => if fine s then [(csum s, [])] else [(CZ 1, [u])]
        | _ =>
        match cut (start u) with
        | Some (x, w) =>
            if is (word_dec w [Iden unit_size]) then [(CZ 1, [x])]
            else flat_map (fun p => map (fun q => (CM (fst p) (fst q), snd p ++ snd q)) (settle n w)) (settle n x)
        | None => [(CZ 1, [u])]
        end end end end
    end.
  Fixpoint simplify (n : nat) (u : word) : list (cx * list word * word) :=  (* the word u *)
    match n with
    | O => [(CZ 1, [], u)]
    | S n =>
        match join u with
        | Some l => flat_map (fun p => map (fun q => (CM (CZ (fst p)) (fst (fst q)), snd (fst q), snd q)) (simplify n (snd p))) l
        | None =>
        match cut u with
        | Some (x, w) => flat_map (fun p => map (fun q => (CM (fst p) (fst (fst q)), snd p ++ snd (fst q), snd q)) (simplify n w)) (settle n x)
        | None => [(CZ 1, [], u)]
        end end
    end.
  Definition fuel := 400%nat.
  Fixpoint settles (l : list word) : list (cx * list word) :=
    match l with
    | [] => [(CZ 1, [])]
    | u :: l => flat_map (fun p => map (fun q => (CM (fst p) (fst q), snd p ++ snd q)) (settles l)) (settle fuel u)
    end.
  Definition clean (t : term) : list term :=
    match t with (c, (ks, l, u)) =>
      flat_map (fun p => map (fun q => (CM c (CM (fst p) (fst (fst q))), (ks, snd p ++ snd (fst q), snd q))) (simplify fuel u)) (settles l)
    end.

  (** One of many equal ways of writing: the first of all rotations, orders of traces, orders of samples. *)
  Definition mcode (m : mark) : list nat := match m with Nm x => [O; x] | Ps i => [1%nat; i] end.
  Definition acode (a : atom) : list nat :=
    match a with
    | At k m t => (2 + k)%nat :: mcode m ++ [if t then 1%nat else O]
    | Up r s t => O :: O :: (if t then 1%nat else O) :: r ++ s
    | Lo r s t => O :: 1%nat :: (if t then 1%nat else O) :: r ++ s
    | Iden s => 1%nat :: s
    end.
  Definition wcode (u : word) : list nat := length u :: flat_map acode u.
  Fixpoint before (a b : list nat) : bool :=
    match a, b with
    | [], _ => true
    | _, [] => false
    | x :: a, y :: b => if Nat.eqb x y then before a b else Nat.ltb x y
    end.
  Definition least {A} (code : A -> list nat) (x : A) (l : list A) : A :=
    fold_left (fun y z => if before (code y) (code z) then y else z) l x.
  Definition cycle (u : word) : word :=
    least wcode u (rots (length u) u ++ rots (length u) (turn_word u)).
  Fixpoint insert (u : word) (l : list word) : list word :=
    match l with [] => [u] | v :: m => if before (wcode u) (wcode v) then u :: l else v :: insert u m end.
  Definition sorted (l : list word) : list word := fold_right (fun u m => insert (cycle u) m) [] l.
  Definition swap_at (i j : nat) : nat := if Nat.eqb j i then S i else if Nat.eqb j (S i) then i else j.
  Definition remark (f : nat -> nat) (a : atom) : atom := match a with At k (Ps j) t => At k (Ps (f j)) t | _ => a end.
  Fixpoint swap_list {A} (i : nat) (l : list A) : list A :=
    match i, l with
    | O, x :: y :: m => y :: x :: m
    | S j, x :: m => x :: swap_list j m
    | _, _ => l
    end.
  Definition swap_key (i : nat) (q : key) : key :=
    match q with (ks, l, u) =>
      if Nat.ltb (S i) (length ks)
      then (swap_list i ks, map (map (remark (swap_at i))) l, map (remark (swap_at i)) u) else q end.
  Fixpoint orders (n : nat) : list (list nat) :=
    match n with
    | O => [[]]
    | S O => [[]]
    | S m => flat_map (fun s => map (fun p => s ++ rev (seq p (m - p))) (seq 0 (S m))) (orders m)
    end.
  Definition neat (q : key) : key := match q with (ks, l, u) => (ks, sorted l, u) end.
  Definition kcode (q : key) : list nat :=
    match q with (ks, l, u) => length ks :: ks ++ length l :: flat_map wcode l ++ wcode u end.
  Definition canon (q : key) : key :=
    let all := map (fun s => neat (fold_left (fun x i => swap_key i x) s q)) (orders (length (fst (fst q)))) in
    least kcode (neat q) all.
  Definition plain_term (t : term) : list term := map (fun p => (fst p, canon (snd p))) (clean t).
  Fixpoint gather (t : term) (l : list term) : list term :=
    match l with
    | [] => [t]
    | p :: m => if key_dec (snd t) (snd p) then (CA (fst t) (fst p), snd p) :: m else p :: gather t m
    end.
  Definition gathered (l : list term) : list term := fold_right gather [] (flat_map plain_term l).

  (** From formulas. *)
  Definition on_words (f : atom -> atom) (t : term) : term :=
    match t with (c, (ks, l, u)) => (c, (ks, map (map f) l, map f u)) end.
  Definition shift (n : nat) : atom -> atom := remark (fun i => (i + n)%nat).
  Definition has_mark (m : nat) (a : atom) : bool := match a with At _ (Nm x) _ => Nat.eqb x m | _ => false end.
  Definition settled_by (m j : nat) (a : atom) : bool :=
    match a with At k (Nm x) _ => if Nat.eqb x m then nth k (nth j win []) false else true | _ => true end.
  Definition atoms (q : key) : list atom := match q with (ks, l, u) => concat l ++ u end.
  Definition bind_atom (m : nat) (a : atom) : atom :=
    match a with
    | At k (Nm x) t => if Nat.eqb x m then At k (Ps O) t else a
    | At k (Ps i) t => At k (Ps (S i)) t
    | _ => a
    end.
  Definition kind_for (k m : nat) (q : key) : nat :=
    match k with
    | O => O
    | S j => if forallb (settled_by m j) (atoms q)
             then match find (fun i => forallb (settled_by m i) (atoms q)) (seq 0 (length win)) with Some i => S i | None => k end
             else k
    end.
  Definition bind (k m : nat) (t : term) : term :=
    match t with (c, (ks, l, u)) =>
      if existsb (has_mark m) (atoms (ks, l, u))
      then (c, (kind_for k m (ks, l, u) :: ks, map (map (bind_atom m)) l, map (bind_atom m) u)) else t end.
  Definition scoped (t : term) : bool :=
    match t with (c, (ks, l, u)) =>
      forallb (fun a => match a with At _ (Ps i) _ => Nat.ltb i (length ks) | _ => true end) (concat l ++ u) end.
  Definition times_term (s t : term) : term :=
    match s, t with (c, (ks, l, u)), (d, (ls, m, v)) =>
      let n := length ks in (CM c d, (ks ++ ls, l ++ map (map (shift n)) m, u ++ map (shift n) v)) end.
  Definition scale_term (s t : term) : term :=  (* s is a number *)
    match s, t with (c, (ks, l, u)), (d, (ls, m, v)) =>
      let n := length ks in (CM c d, (ks ++ ls, l ++ u :: map (map (shift n)) m, map (shift n) v)) end.
  Definition products (f : term -> term -> term) (a b : list term) : list term := flat_map (fun s => map (f s) b) a.
  Definition by_factor (z : Z) (l : list term) : list term := map (fun t => (CM (CZ z) (fst t), snd t)) l.
  Definition behind (a : atom) (t : term) : term := match t with (c, (ks, l, u)) => (c, (ks, l, a :: u)) end.
  Definition ahead (a : atom) (t : term) : term := match t with (c, (ks, l, u)) => (c, (ks, l, u ++ [a])) end.
  Definition turn_term (t : term) : term := match t with (c, (ks, l, u)) => (c, (ks, l, turn_word u)) end.
  Definition trace_term (t : term) : term := match t with (c, (ks, l, u)) => (c, (ks, u :: l, [Iden unit_size])) end.
  Definition letter_term (k m : nat) : list term := [(CZ 1, ([], [], [At k (Nm m) false]))].
  Fixpoint terms (e : ex) : list term :=
    match e with
    | ML k m | NL k m => letter_term k m
    | MI s => [(CZ 1, ([], [], [Iden s]))]
    | MO _ _ => []
    | MAdd a b | NAdd a b => terms a ++ terms b
    | MSub a b | NSub a b => terms a ++ by_factor (-1) (terms b)
    | MOpp a | NOpp a => by_factor (-1) (terms a)
    | MSc x a | NMul x a => products scale_term (terms x) (terms a)
    | MMul _ a b => products times_term (terms a) (terms b)
    | MT a => map turn_term (terms a)
    | ME k m a | NE k m a => map (bind k m) (terms a)
    | MV r s a b => map (behind (Up r s false)) (terms a) ++ map (behind (Lo r s false)) (terms b)
    | MH r s a b => map (ahead (Up r s true)) (terms a) ++ map (ahead (Lo r s true)) (terms b)
    | MNum x | NAt x => terms x
    | NC c => [(c, ([], [], [Iden unit_size]))]
    | NTr _ a => map trace_term (terms a)
    end.
  Definition coefficients (e : ex) : list cx := map fst (gathered (terms e)).

  Definition same (a b : option (size * size)) : option (size * size) :=
    match a, b with
    | Some (r, c), Some (s, d) => if is (size_dec r s) && is (size_dec c d) then Some (r, c) else None
    | _, _ => None
    end.
  Definition number_only (a : option (size * size)) : bool :=
    match a with Some (r, c) => is (size_dec r unit_size) && is (size_dec c unit_size) | None => false end.
  Fixpoint shape (e : ex) : option (size * size) :=
    match e with
    | ML k m => if fine (i_rows (about k)) && fine (i_cols (about k)) then Some (i_rows (about k), i_cols (about k)) else None
    | MI s => if fine s then Some (s, s) else None
    | MO r c => Some (r, c)
    | MAdd a b | MSub a b => same (shape a) (shape b)
    | MOpp a => shape a
    | MSc x a => if number_only (shape x) && forallb scoped (terms x) then shape a else None
    | MMul s a b =>
        match shape a, shape b with
        | Some (r, p), Some (q, c) => if is (size_dec p s) && fine s && forallb scoped (terms a) then Some (r, c) else None
        | _, _ => None
        end
    | MT a => match shape a with Some (r, c) => Some (c, r) | None => None end
    | ME k m a => shape a
    | MV r s a b =>
        match shape a, shape b with
        | Some (p, c), Some (q, d) => if is (size_dec p r) && is (size_dec q s) && is (size_dec c d) && fine (r ++ s) then Some (r ++ s, c) else None
        | _, _ => None
        end
    | MH r s a b =>
        match shape a, shape b with
        | Some (c, p), Some (d, q) => if is (size_dec p r) && is (size_dec q s) && is (size_dec c d) && fine (r ++ s) then Some (c, r ++ s) else None
        | _, _ => None
        end
    | MNum x => if number_only (shape x) then shape x else None
    | NC c => Some (unit_size, unit_size)
    | NL k m => if is (size_dec (i_rows (about k)) unit_size) && is (size_dec (i_cols (about k)) unit_size) then Some (unit_size, unit_size) else None
    | NAdd x y | NSub x y => if number_only (shape x) && number_only (shape y) then Some (unit_size, unit_size) else None
    | NOpp x => if number_only (shape x) then Some (unit_size, unit_size) else None
    | NMul x y => if number_only (shape x) && number_only (shape y) && forallb scoped (terms x) then Some (unit_size, unit_size) else None
    | NTr s a => match shape a with Some (r, c) => if is (size_dec r s) && is (size_dec c s) && fine s then Some (unit_size, unit_size) else None | None => None end
    | NAt a => if number_only (shape a) then Some (unit_size, unit_size) else None
    | NE k m x => if number_only (shape x) then Some (unit_size, unit_size) else None
    end.
End Form.

(** * The normal form has the value of the formula *)

Section Value.
  Context {S : Type} (E : (S -> R) -> R) (HE : sampling E) (h0 : nat -> S).
  Variables (infos : list info) (win : list (list bool)) (hs : list nat).
  Definition W : Type := (S * (nat -> S))%type.
  Variables (vals : list (W -> mat)) (rs : list R) (vs : list nat).

  Definition var (i : nat) : nat := match i with O => 1%nat | Datatypes.S j => nth j vs O end.
  Fixpoint dim (s : size) : nat :=
    match s with [] => O | i :: l => match l with [] => var i | _ => (var i + dim l)%nat end end.
  Definition NN : nat := (8 * (fold_right Nat.add 1%nat vs))%nat.
  Definition means (k : nat) : (W -> R) -> R :=
    match k with
    | O => fun f => E (fun w => f (w, h0))
    | Datatypes.S j => fun f => history E h0 (nth j hs O) (fun h => f (h0 O, h))
    end.
  Definition letter_at (k : nat) : W -> mat := nth k vals (fun _ => zero).
  Fixpoint cval (c : cx) : R :=
    match c with
    | CZ z => IZR z | CV i => nth i rs 0 | CN i => INR (var i) | CA a b => cval a + cval b | CM a b => cval a * cval b
    end.
  Definition set (nv : nat -> W) (m : nat) (w : W) : nat -> W := fun x => if Nat.eqb x m then w else nv x.
  Fixpoint evm (nv : nat -> W) (e : ex) : mat :=
    match e with
    | ML k m => letter_at k (nv m)
    | MI s => identity (dim s)
    | MO _ _ => zero
    | MAdd a b => plus (evm nv a) (evm nv b)
    | MSub a b => minus (evm nv a) (evm nv b)
    | MOpp a => opp (evm nv a)
    | MSc x a => scale (evn nv x) (evm nv a)
    | MMul s a b => times (dim s) (evm nv a) (evm nv b)
    | MT a => flip (evm nv a)
    | ME k m a => average (means k) (fun w => evm (set nv m w) a)
    | MV r s a b => above (dim r) (dim s) (evm nv a) (evm nv b)
    | MH r s a b => beside (dim r) (dim s) (evm nv a) (evm nv b)
    | MNum x => number (evn nv x)
    | NC c => number (cval c)
    | NL k m => number (letter_at k (nv m) O O)
    | NAdd x y => number (evn nv x + evn nv y)
    | NSub x y => number (evn nv x - evn nv y)
    | NOpp x => number (- evn nv x)
    | NMul x y => number (evn nv x * evn nv y)
    | NTr s a => number (trace (dim s) (evm nv a))
    | NAt a => number (evm nv a O O)
    | NE k m x => number (means k (fun w => evn (set nv m w) x))
    end
  with evn (nv : nat -> W) (e : ex) : R :=
    match e with
    | NC c => cval c
    | NL k m => letter_at k (nv m) O O
    | NAdd x y => evn nv x + evn nv y
    | NSub x y => evn nv x - evn nv y
    | NOpp x => - evn nv x
    | NMul x y => evn nv x * evn nv y
    | NTr s a => trace (dim s) (evm nv a)
    | NAt a => evm nv a O O
    | NE k m x => means k (fun w => evn (set nv m w) x)
    | ML k m => letter_at k (nv m) O O
    | MI s => identity (dim s) O O
    | MO _ _ => 0
    | MAdd a b => plus (evm nv a) (evm nv b) O O
    | MSub a b => minus (evm nv a) (evm nv b) O O
    | MOpp a => opp (evm nv a) O O
    | MSc x a => scale (evn nv x) (evm nv a) O O
    | MMul s a b => times (dim s) (evm nv a) (evm nv b) O O
    | MT a => flip (evm nv a) O O
    | ME k m a => average (means k) (fun w => evm (set nv m w) a) O O
    | MV r s a b => above (dim r) (dim s) (evm nv a) (evm nv b) O O
    | MH r s a b => beside (dim r) (dim s) (evm nv a) (evm nv b) O O
    | MNum x => number (evn nv x) O O
    end.
  Lemma evn_is nv e : evn nv e = evm nv e O O. Proof. destruct e; reflexivity. Qed.

  (** What the tables say. *)
  Definition letter_fine (i : info) (f : W -> mat) : Prop :=
    (forall w, sized (dim (i_rows i)) (dim (i_cols i)) (f w)) /\ (i_sym i = true -> forall w, flip (f w) = f w) /\
    (forall l, i_inv i = Datatypes.S l -> forall w, let n := dim (i_rows i) in
       sized n n (f w) /\ sized n n (letter_at l w) /\ times n (f w) (letter_at l w) = identity n).
  Definition settled_fine (j : nat) (l : list bool) : Prop :=
    forall k, nth k l false = true -> forall g h, agree (nth j hs O) g h -> letter_at k (h0 O, g) = letter_at k (h0 O, h).
  Fixpoint settled_all (j : nat) (l : list (list bool)) : Prop :=
    match l with [] => True | x :: m => settled_fine j x /\ settled_all (Datatypes.S j) m end.
  Hypothesis HL : Forall2 letter_fine infos vals.
  Hypothesis HW : settled_all O win.

  Lemma letter_ok k : letter_fine (about infos k) (letter_at k).
  Proof.
    assert (D : letter_fine nothing (fun _ => zero)).
    { split; [intros w; apply sized_zero | split; [reflexivity|]]. intros l L; discriminate L. }
    assert (G : forall is fs, Forall2 letter_fine is fs -> forall k, letter_fine (nth k is nothing) (nth k fs (fun _ => zero))).
    { induction 1; intros [|n]; simpl; auto. }
    apply (G _ _ HL k).
  Qed.
  Lemma settled_ok j k : nth k (nth j win []) false = true ->
    forall g h, agree (nth j hs O) g h -> letter_at k (h0 O, g) = letter_at k (h0 O, h).
  Proof.
    assert (G : forall l i, settled_all i l -> forall j, settled_fine (i + j) (nth j l [])).
    { induction l as [|x l IH]; intros i H n.
      - intros q Q. destruct n; simpl in Q; destruct q; discriminate Q.
      - destruct H as (A & B). destruct n; simpl.
        + rewrite Nat.add_0_r. exact A.
        + replace (i + Datatypes.S n)%nat with (Datatypes.S i + n)%nat by lia. apply IH, B. }
    apply (G win O HW j).
  Qed.
  Lemma dim_app r s : dim (r ++ s) = (dim r + dim s)%nat.
  Proof.
    induction r as [|i r IH]; [reflexivity|]. destruct r as [|j r].
    - simpl. destruct s; simpl; lia.
    - change (dim ((i :: j :: r) ++ s)) with (var i + dim ((j :: r) ++ s))%nat. rewrite IH. simpl. lia.
  Qed.
  Lemma var_le i : (var i <= fold_right Nat.add 1%nat vs)%nat.
  Proof.
    destruct i as [|i]; simpl.
    - induction vs; simpl; lia.
    - revert i. induction vs as [|v l IH]; intros [|i]; simpl; try lia. specialize (IH i). lia.
  Qed.
  Lemma dim_le s : fine s = true -> (dim s <= NN)%nat.
  Proof.
    unfold fine, NN. rewrite Nat.leb_le. set (B := fold_right Nat.add 1%nat vs).
    assert (G : forall l, (dim l <= length l * B)%nat).
    { induction l as [|i l IH]; [simpl; lia|]. assert (V := var_le i). fold B in V.
      destruct l as [|j l]; [simpl; lia|]. change (dim (i :: j :: l)) with (var i + dim (j :: l))%nat. simpl length in *. nia. }
    intros L. specialize (G s). nia.
  Qed.
  Lemma one_le : (1 <= NN)%nat. Proof. assert (V := dim_le [O] eq_refl). exact V. Qed.

  Lemma means_ok k : expectation (means k).
  Proof.
    assert (X := s_mean _ HE). destruct k as [|j]; simpl.
    - split; [split|].
      + intros c f g. apply (f_lin _ _ (e_functional _ X)).
      + intros f P. apply (m_pos _ X). intros w. apply P. exact I.
      + apply (e_one _ X).
    - assert (Y := history_expectation E HE h0 (nth j hs O)). split; [split|].
      + intros c f g. apply (f_lin _ _ (e_functional _ Y)).
      + intros f P. apply (m_pos _ Y). intros w. apply P. exact I.
      + apply (e_one _ Y).
  Qed.
  Lemma means_swap k l (f : W -> W -> R) : means k (fun v => means l (fun w => f v w)) = means l (fun w => means k (fun v => f v w)).
  Proof.
    destruct k as [|k], l as [|l]; simpl.
    - apply (s_swap _ HE).
    - apply (history_swap E HE h0 _ (fun v h => f (v, h0) (h0 O, h))).
    - symmetry. apply (history_swap E HE h0 _ (fun v h => f (h0 O, h) (v, h0))).
    - apply (history_swaps E HE h0 _ _ (fun g h => f (h0 O, g) (h0 O, h))).
  Qed.

  (** Values of words and terms, in matrices of one large size. *)
  Definition clip (a : mat) : mat := fun i j => if Nat.ltb i NN && Nat.ltb j NN then a i j else 0.
  Definition flipped (t : bool) (a : mat) : mat := if t then flip a else a.
  Definition look (nv : nat -> W) (pv : list W) (m : mark) : W := match m with Nm x => nv x | Ps i => nth i pv (h0 O, h0) end.
  Definition aval nv pv (a : atom) : mat :=
    clip match a with
    | At k m t => flipped t (letter_at k (look nv pv m))
    | Up r s t => flipped t (upper (dim r) (dim s))
    | Lo r s t => flipped t (lower (dim r) (dim s))
    | Iden s => identity (dim s)
    end.
  Definition wval nv pv (u : word) : mat := fold_right (fun a x => times NN (aval nv pv a) x) (identity NN) u.
  Definition sval nv pv (l : list word) : R := fold_right (fun u x => trace NN (wval nv pv u) * x) 1 l.
  Fixpoint EM (ks : list nat) (F : list W -> mat) : mat :=
    match ks with [] => F [] | k :: l => average (means k) (fun w => EM l (fun pv => F (w :: pv))) end.
  Definition kbody nv (q : key) (pv : list W) : mat :=
    match q with (ks, l, u) => scale (sval nv pv l) (wval nv pv u) end.
  Definition kval nv (q : key) : mat := EM (fst (fst q)) (kbody nv q).
  Definition tval nv (t : term) : mat := scale (cval (fst t)) (kval nv (snd t)).
  Definition lval nv (l : list term) : mat := fold_right (fun t x => plus (tval nv t) x) zero l.

  Lemma clip_id a : sized NN NN a -> clip a = a.
  Proof.
    intros A. apply fm_ext; intros i j. unfold clip. destruct (Nat.ltb_spec i NN), (Nat.ltb_spec j NN); simpl; auto;
    symmetry; apply A; lia.
  Qed.
  Lemma sized_clip r c a : sized r c a -> sized r c (clip a).
  Proof. intros A i j P. unfold clip. rewrite A by auto. destruct (_ && _); reflexivity. Qed.
  Lemma clip_sized a : sized NN NN (clip a).
  Proof. intros i j P. unfold clip. destruct (Nat.ltb_spec i NN), (Nat.ltb_spec j NN); simpl; auto; lia. Qed.
  Lemma aval_NN nv pv a : sized NN NN (aval nv pv a). Proof. apply clip_sized. Qed.
  Lemma wval_NN nv pv u : sized NN NN (wval nv pv u).
  Proof.
    destruct u as [|a u]; simpl; [apply sized_identity|].
    assert (G : forall v, sized NN NN (wval nv pv v)).
    { induction v; simpl; [apply sized_identity | eapply sized_times; [apply aval_NN | apply IHv]]. }
    eapply sized_times; [apply aval_NN | apply G].
  Qed.
  Lemma aval_sized nv pv a : sized (dim (rows infos a)) (dim (cols infos a)) (aval nv pv a).
  Proof.
    apply sized_clip. destruct a as [k m t|r s t|r s t|s]; simpl.
    - destruct (letter_ok k) as (A & _). destruct t; simpl; [apply sized_flip|]; apply A.
    - rewrite <- ?dim_app. destruct t; simpl; rewrite dim_app; [apply sized_flip|]; apply sized_upper.
    - destruct t; simpl; rewrite dim_app; [apply sized_flip|]; apply sized_lower.
    - apply sized_identity.
  Qed.
  Lemma wval_one nv pv a : wval nv pv [a] = aval nv pv a.
  Proof. simpl. apply (times_id_r NN NN NN); [lia | apply aval_NN]. Qed.
  Lemma wval_app nv pv u v : wval nv pv (u ++ v) = times NN (wval nv pv u) (wval nv pv v).
  Proof.
    induction u as [|a u IH]; simpl.
    - symmetry. apply (times_id_l NN NN NN); [lia | apply wval_NN].
    - rewrite IH, tassoc. reflexivity.
  Qed.
  Lemma flip_clip a : flip (clip a) = clip (flip a).
  Proof. apply fm_ext; intros i j. unfold flip, clip. rewrite andb_comm. reflexivity. Qed.
  Lemma turn_val nv pv a : aval nv pv (turn infos a) = flip (aval nv pv a).
  Proof.
    unfold aval. rewrite flip_clip. f_equal. destruct a as [k m t|r s t|r s t|s]; simpl.
    - destruct (i_sym (about infos k)) eqn:Y.
      + destruct (letter_ok k) as (_ & Q & _). destruct t; simpl; rewrite ?(Q Y); reflexivity.
      + destruct t; reflexivity.
    - destruct t; reflexivity.
    - destruct t; reflexivity.
    - symmetry. apply flip_identity.
  Qed.
  Lemma turn_word_val nv pv u : wval nv pv (turn_word infos u) = flip (wval nv pv u).
  Proof.
    unfold turn_word. induction u as [|a u IH]; simpl; [symmetry; apply flip_identity|].
    rewrite wval_app, IH. rewrite wval_one, turn_val, ftimes. reflexivity.
  Qed.

  (** Neighbours. *)
  Definition zlin nv pv (l : list (Z * word)) : mat := fold_right (fun p x => plus (scale (IZR (fst p)) (wval nv pv (snd p))) x) zero l.
  Lemma plus_zero a : plus a zero = a. Proof. apply fm_ext; intros; unfold plus, zero; ring. Qed.
  Lemma zero_plus a : plus zero a = a. Proof. apply fm_ext; intros; unfold plus, zero; ring. Qed.
  Lemma scale_one a : scale 1 a = a. Proof. apply fm_ext; intros; unfold scale; ring. Qed.
  Lemma scale_scale x y a : scale x (scale y a) = scale (x * y) a. Proof. apply fm_ext; intros; unfold scale; ring. Qed.
  Lemma scale_plus x a b : scale x (plus a b) = plus (scale x a) (scale x b). Proof. apply fm_ext; intros; unfold scale, plus; ring. Qed.
  Lemma scale_zero x : scale x zero = zero. Proof. apply fm_ext; intros; unfold scale, zero; ring. Qed.
  Lemma zlin_one nv pv u : zlin nv pv [(1%Z, u)] = wval nv pv u.
  Proof. unfold zlin. simpl. rewrite scale_one, plus_zero. reflexivity. Qed.
  Lemma aval_clip_id nv pv s : fine s = true -> aval nv pv (Iden s) = identity (dim s).
  Proof. intros F. apply clip_id. assert (L := dim_le s F). apply (sized_more (dim s) (dim s)); auto. apply sized_identity. Qed.
  Lemma aval_upper nv pv r s t : fine (r ++ s) = true -> aval nv pv (Up r s t) = flipped t (upper (dim r) (dim s)).
  Proof.
    intros F. apply clip_id. assert (L := dim_le _ F). rewrite dim_app in L.
    destruct t; simpl; [apply sized_flip|]; eapply sized_more; [| |apply sized_upper| | |apply sized_upper]; lia.
  Qed.
  Lemma aval_lower nv pv r s t : fine (r ++ s) = true -> aval nv pv (Lo r s t) = flipped t (lower (dim r) (dim s)).
  Proof.
    intros F. apply clip_id. assert (L := dim_le _ F). rewrite dim_app in L.
    destruct t; simpl; [apply sized_flip|]; eapply sized_more; [| |apply sized_lower| | |apply sized_lower]; lia.
  Qed.
  Lemma fine_l r s : fine (r ++ s) = true -> fine r = true.
  Proof. unfold fine. rewrite app_length, !Nat.leb_le. lia. Qed.
  Lemma fine_r r s : fine (r ++ s) = true -> fine s = true.
  Proof. unfold fine. rewrite app_length, !Nat.leb_le. lia. Qed.
  Ltac conds := repeat match goal with
    | H : _ && _ = true |- _ => apply andb_prop in H; destruct H
    | H : is _ = true |- _ => apply is_true in H; try subst
    | H : Nat.eqb _ _ = true |- _ => apply Nat.eqb_eq in H
    end.
  Lemma pair_ok nv pv a b l : pair infos a b = Some l -> times NN (aval nv pv a) (aval nv pv b) = zlin nv pv l.
  Proof.
    assert (L : forall s b, fine s && is (size_dec (rows infos b) s) = true -> times NN (aval nv pv (Iden s)) (aval nv pv b) = zlin nv pv [(1%Z, [b])]).
    { intros s c C. conds. rewrite zlin_one, wval_one, aval_clip_id by auto.
      apply (times_id_l NN _ (dim (cols infos c))); [apply dim_le; auto | apply aval_sized]. }
    assert (Q : forall s a, fine s && is (size_dec (cols infos a) s) = true -> times NN (aval nv pv a) (aval nv pv (Iden s)) = zlin nv pv [(1%Z, [a])]).
    { intros s c C. conds. rewrite zlin_one, wval_one, aval_clip_id by auto.
      apply (times_id_r NN _ (dim (rows infos c))); [apply dim_le; auto | apply aval_sized]. }
    unfold pair. intros P.
    destruct a as [k m t|r s t|r s t|s]; destruct b as [l' o u|p q u|p q u|s'];
      repeat match type of P with
      | context [match ?t with true => _ | false => _ end] => is_var t; destruct t; try discriminate P
      | context [if ?c then _ else _] => destruct c eqn:C; [|discriminate P]
      end; try discriminate P; injection P as <-; auto; conds.
    { destruct (letter_ok k) as (_ & _ & I). destruct (I l' H (look nv pv o)) as (A & B & V).
      rewrite zlin_one, wval_one, aval_clip_id by auto. unfold aval. simpl flipped.
      assert (G := dim_le _ H0).
      rewrite !clip_id by (eapply sized_more; [exact G | exact G | assumption]).
      rewrite (times_more NN _ _ _ _ G A). exact V. }
    all: try solve [rewrite ?zlin_one, ?wval_one, ?aval_upper, ?aval_lower, ?aval_clip_id by eauto using fine_l, fine_r;
      simpl flipped; (apply uu || apply ul || apply lu || apply ll); rewrite <- dim_app; apply dim_le; assumption].
    unfold zlin. cbn [fold_right fst snd]. rewrite scale_one, plus_zero, wval_one, aval_clip_id by auto.
    change (wval nv pv [Lo p q false; Lo p q true]) with (times NN (aval nv pv (Lo p q false)) (wval nv pv [Lo p q true])).
    rewrite wval_one, !aval_upper, !aval_lower by auto. simpl flipped.
    rewrite uu' by (rewrite <- dim_app; apply dim_le; assumption). rewrite dim_app. reflexivity.
  Qed.
  Lemma zlin_right nv pv l v : times NN (zlin nv pv l) (wval nv pv v) = zlin nv pv (map (fun p => (fst p, snd p ++ v)) l).
  Proof.
    induction l as [|p l IH]; simpl; [apply times_zero_l|].
    rewrite times_plus_l, times_scale_l, wval_app. f_equal. exact IH.
  Qed.
  Lemma zlin_left nv pv l a : times NN (aval nv pv a) (zlin nv pv l) = zlin nv pv (map (fun p => (fst p, a :: snd p)) l).
  Proof. induction l as [|p l IH]; simpl; [apply times_zero_r|]. rewrite times_plus_r, times_scale_r. f_equal. exact IH. Qed.
  Lemma join_ok nv pv u : forall l, join infos u = Some l -> wval nv pv u = zlin nv pv l.
  Proof.
    induction u as [|a u IH]; intros l J; [simpl in J; discriminate J|].
    destruct u as [|b v]; [simpl in J; discriminate J|]. 
    change (match pair infos a b with
            | Some m => Some (map (fun p => (fst p, snd p ++ v)) m)
            | None => option_map (map (fun p => (fst p, a :: snd p))) (join infos (b :: v)) end = Some l) in J.
    destruct (pair infos a b) as [m|] eqn:P.
    - injection J as <-. rewrite <- zlin_right, <- (pair_ok nv pv a b m P), tassoc. reflexivity.
    - destruct (join infos (b :: v)) as [m|] eqn:Q; [|discriminate J]. injection J as <-.
      rewrite <- zlin_left, <- (IH m eq_refl). reflexivity.
  Qed.
  Lemma zlin_trace nv pv l : trace NN (zlin nv pv l) = fold_right (fun p x => IZR (fst p) * trace NN (wval nv pv (snd p)) + x) 0 l.
  Proof. induction l as [|p l IH]; simpl; [apply tr_zero|]. rewrite tr_plus, tr_scale, <- IH. reflexivity. Qed.

  (** Numbers leave. *)
  Lemma upto_ok nv pv u : forall x w, upto infos u = Some (x, w) ->
    u = x ++ w /\ (exists a v y, u = a :: v /\ x = a :: y) /\ sized NN 1 (wval nv pv x).
  Proof.
    induction u as [|a u IH]; intros x w J; [simpl in J; discriminate J|]. 
    change ((if is (size_dec (cols infos a) unit_size) then Some ([a], u)
             else option_map (fun p => (a :: fst p, snd p)) (upto infos u)) = Some (x, w)) in J.
    destruct (is _) eqn:C.
    - injection J as <- <-. conds. repeat split; eauto. rewrite wval_one.
      assert (A := aval_sized nv pv a). rewrite C in A. intros i j P. destruct P as [P|P]; [apply aval_NN; auto | apply A; auto].
    - destruct (upto infos u) as [(x', w')|] eqn:Q; [|discriminate J]. injection J as <- <-.
      destruct (IH x' w' eq_refl) as (-> & _ & B). repeat split; [eauto 6|]. simpl.
      eapply sized_times; [apply aval_NN | exact B].
  Qed.
  Lemma cut_ok nv pv u : forall x w, cut infos u = Some (x, w) ->
    wval nv pv u = scale (trace NN (wval nv pv x)) (wval nv pv w).
  Proof.
    assert (one1 : aval nv pv (Iden unit_size) = identity 1) by (apply aval_clip_id; reflexivity).
    induction u as [|a u IH]; intros x w J; [simpl in J; discriminate J|]. cbn [cut] in J.
    assert (On : forall p, option_map (fun p : word * word => (fst p, a :: snd p)) (cut infos u) = Some p ->
       wval nv pv (a :: u) = scale (trace NN (wval nv pv (fst p))) (wval nv pv (snd p))).
    { intros p Q. destruct (cut infos u) as [(x', w')|]; [|discriminate Q]. injection Q as <-. simpl.
      rewrite (IH x' w' eq_refl), times_scale_r. reflexivity. }
    destruct (is _ && _) eqn:C; [|apply (On (x, w) J)].
    destruct (upto infos (a :: u)) as [(x', w')|] eqn:Q; [|apply (On (x, w) J)].
    injection J as <- <-. conds. destruct (upto_ok nv pv _ _ _ Q) as (U & (a' & v & y & E1 & E2) & B).
    injection E1 as <- <-. rewrite U. subst x'.
    rewrite wval_app. 
    change (wval nv pv (Iden unit_size :: w')) with (times NN (aval nv pv (Iden unit_size)) (wval nv pv w')). rewrite one1.
    assert (A : sized 1 1 (wval nv pv (a :: y))).
    { intros i j [P|P]; [|apply B; auto]. unfold wval. simpl. assert (A := aval_sized nv pv a). rewrite H in A.
      unfold times. apply nsum_all0. intros k. rewrite (A i k) by auto. ring. }
    assert (G := one_by_one NN _ one_le A). rewrite G at 1. rewrite times_scale_l. reflexivity.
  Qed.
  Lemma rot_ok nv pv u : trace NN (wval nv pv (rot u)) = trace NN (wval nv pv u).
  Proof. destruct u as [|a u]; [reflexivity|]. simpl rot. rewrite wval_app, tr_cycle, wval_one. reflexivity. Qed.
  Lemma rots_ok nv pv n : forall u w, In w (rots n u) -> trace NN (wval nv pv w) = trace NN (wval nv pv u).
  Proof.
    induction n as [|n IH]; intros u w J; [destruct J|]. destruct J as [->|J]; [reflexivity|].
    rewrite (IH _ _ J). apply rot_ok.
  Qed.
  Lemma start_ok nv pv u : trace NN (wval nv pv (start infos u)) = trace NN (wval nv pv u).
  Proof.
    unfold start. destruct (find _ _) eqn:F; [|reflexivity]. apply find_some in F. destruct F as (F & _).
    apply (rots_ok nv pv _ _ _ F).
  Qed.
  Definition slin nv pv (l : list (cx * list word)) : R := fold_right (fun p x => cval (fst p) * sval nv pv (snd p) + x) 0 l.
  Lemma slin_app nv pv a b : slin nv pv (a ++ b) = slin nv pv a + slin nv pv b.
  Proof. induction a; simpl; [unfold slin; simpl; ring | rewrite IHa; ring]. Qed.
  Lemma sval_app nv pv a b : sval nv pv (a ++ b) = sval nv pv a * sval nv pv b.
  Proof. induction a; simpl; [ring | rewrite IHa; ring]. Qed.
  Lemma slin_map nv pv c s l : slin nv pv (map (fun q => (CM c (fst q), s ++ snd q)) l) = cval c * sval nv pv s * slin nv pv l.
  Proof. induction l as [|q l IH]; simpl; [ring|]. rewrite sval_app. first [rewrite IH | unfold slin in IH; rewrite IH]. ring. Qed.
  Lemma slin_mul nv pv a b :
    slin nv pv (flat_map (fun p => map (fun q => (CM (fst p) (fst q), snd p ++ snd q)) b) a) = slin nv pv a * slin nv pv b.
  Proof. induction a as [|p a IH]; simpl; [ring|]. rewrite slin_app, IH, slin_map. ring. Qed.
  Lemma slin_z nv pv c l : slin nv pv (map (fun q => (CM c (fst q), snd q)) l) = cval c * slin nv pv l.
  Proof. induction l as [|q l IH]; simpl; [ring|]. first [rewrite IH | unfold slin in IH; rewrite IH]. ring. Qed.
  Lemma slin_flat nv pv l n (IH : forall u, trace NN (wval nv pv u) = slin nv pv (settle infos n u)) :
    slin nv pv (flat_map (fun p => map (fun q => (CM (CZ (fst p)) (fst q), snd q)) (settle infos n (snd p))) l) = trace NN (zlin nv pv l).
  Proof.
    rewrite zlin_trace. induction l as [|p l IHl]; simpl; [reflexivity|]. rewrite slin_app, IHl, slin_z, <- IH. reflexivity.
  Qed.
  Lemma csum_ok s : cval (csum s) = INR (dim s).
  Proof.
    induction s as [|i s IH]; [reflexivity|]. simpl csum. cbn [cval]. rewrite IH. destruct s as [|j s]; simpl.
    - ring.
    - rewrite plus_INR. reflexivity.
  Qed.
  Lemma single nv pv u : slin nv pv [(CZ 1, [u])] = trace NN (wval nv pv u). Proof. unfold slin, sval; simpl; ring. Qed.
  Lemma settle_ok nv pv n : forall u, trace NN (wval nv pv u) = slin nv pv (settle infos n u).
  Proof.
    induction n as [|n IH]; intros u; [symmetry; apply single|]. cbn [settle].
    destruct (join infos u) as [l|] eqn:J; [rewrite (join_ok nv pv u l J); symmetry; apply slin_flat, IH|].
    destruct (join infos (rot u)) as [l|] eqn:K.
    { rewrite <- rot_ok, (join_ok nv pv _ l K). symmetry; apply slin_flat, IH. }
    assert (Main : trace NN (wval nv pv u) = slin nv pv match cut infos (start infos u) with
        | Some (x, w) => if is (word_dec w [Iden unit_size]) then [(CZ 1, [x])]
            else flat_map (fun p => map (fun q => (CM (fst p) (fst q), snd p ++ snd q)) (settle infos n w)) (settle infos n x)
        | None => [(CZ 1, [u])] end).
    { destruct (cut infos (start infos u)) as [(x, w)|] eqn:C; [|symmetry; apply single].
      rewrite <- start_ok, (cut_ok nv pv _ _ _ C), tr_scale. destruct (is _) eqn:Q.
      - conds. rewrite wval_one, aval_clip_id, single by reflexivity.
        change (dim unit_size) with 1%nat. rewrite (tr_identity NN 1 one_le). simpl. ring.
      - rewrite slin_mul, <- !IH. reflexivity. }
    destruct u as [|[k m t|r s t|r s t|s] [|b v]]; try exact Main.
    destruct (fine s) eqn:F; [|symmetry; apply single].
    rewrite wval_one, aval_clip_id, (tr_identity NN _ (dim_le s F)) by exact F. unfold slin; simpl. rewrite csum_ok. ring.
  Qed.
  Definition wlin nv pv (l : list (cx * list word * word)) : mat :=
    fold_right (fun p x => plus (scale (cval (fst (fst p)) * sval nv pv (snd (fst p))) (wval nv pv (snd p))) x) zero l.
  Lemma wlin_app nv pv a b : wlin nv pv (a ++ b) = plus (wlin nv pv a) (wlin nv pv b).
  Proof. induction a; simpl; [symmetry; apply zero_plus | rewrite IHa, plus_assoc; reflexivity]. Qed.
  Lemma scale_sum x y a : scale (x + y) a = plus (scale x a) (scale y a). Proof. apply fm_ext; intros; unfold scale, plus; ring. Qed.
  Lemma zero_scale a : scale 0 a = zero. Proof. apply fm_ext; intros; unfold scale, zero; ring. Qed.
  Lemma wlin_map nv pv c s l :
    wlin nv pv (map (fun q => (CM c (fst (fst q)), s ++ snd (fst q), snd q)) l) = scale (cval c * sval nv pv s) (wlin nv pv l).
  Proof.
    induction l as [|q l IH]; simpl; [symmetry; apply scale_zero|]. first [rewrite IH | unfold wlin in IH; rewrite IH]. rewrite scale_plus, scale_scale, sval_app.
    f_equal. f_equal. ring.
  Qed.
  Lemma wlin_mul nv pv a b :
    wlin nv pv (flat_map (fun p => map (fun q => (CM (fst p) (fst (fst q)), snd p ++ snd (fst q), snd q)) b) a) = scale (slin nv pv a) (wlin nv pv b).
  Proof.
    induction a as [|p a IH]; simpl; [symmetry; apply zero_scale|]. rewrite wlin_app, IH, wlin_map, <- scale_sum. reflexivity.
  Qed.
  Lemma simplify_ok nv pv n : forall u, wval nv pv u = wlin nv pv (simplify infos n u).
  Proof.
    assert (One : forall u, wval nv pv u = wlin nv pv [(CZ 1, [], u)]).
    { intros u. unfold wlin. simpl. rewrite plus_zero. rewrite Rmult_1_r, scale_one. reflexivity. }
    induction n as [|n IH]; intros u; [apply One|]. cbn [simplify].
    destruct (join infos u) as [l|] eqn:J.
    - rewrite (join_ok nv pv u l J). clear J. induction l as [|p l IHl]; simpl; [reflexivity|].
      rewrite wlin_app. fold (zlin nv pv l). rewrite IHl. f_equal.
      rewrite <- (wlin_map nv pv (CZ (fst p)) [] _) || idtac.
      assert (G := wlin_map nv pv (CZ (fst p)) [] (simplify infos n (snd p))). simpl in G. rewrite Rmult_1_r in G.
      rewrite <- IH in G. symmetry. exact G.
    - destruct (cut infos u) as [(x, w)|] eqn:C; [|apply One].
      rewrite (cut_ok nv pv _ _ _ C), (settle_ok nv pv n x), (IH w). symmetry. apply wlin_mul.
  Qed.
  Lemma settles_ok nv pv l : sval nv pv l = slin nv pv (settles infos l).
  Proof.
    induction l as [|u l IH]; [unfold slin, sval; simpl; ring|]. cbn [settles]. rewrite slin_mul, <- IH, <- settle_ok. reflexivity.
  Qed.

  (** Means. *)
  Lemma EM_ext ks : forall F G, (forall pv, length pv = length ks -> F pv = G pv) -> EM ks F = EM ks G.
  Proof.
    induction ks as [|k ks IH]; intros F G P; simpl; [apply P; reflexivity|].
    apply (av_ext _ (means_ok k)). intros w. apply IH. intros pv L. apply P. simpl. rewrite L. reflexivity.
  Qed.
  Lemma EM_plus ks : forall F G, EM ks (fun pv => plus (F pv) (G pv)) = plus (EM ks F) (EM ks G).
  Proof.
    induction ks as [|k ks IH]; intros F G; simpl; [reflexivity|]. rewrite <- (av_plus _ (means_ok k)).
    apply (av_ext _ (means_ok k)). intros w. apply IH.
  Qed.
  Lemma EM_scale ks c : forall F, EM ks (fun pv => scale c (F pv)) = scale c (EM ks F).
  Proof.
    induction ks as [|k ks IH]; intros F; simpl; [reflexivity|]. rewrite <- (av_scale _ (means_ok k)).
    apply (av_ext _ (means_ok k)). intros w. apply IH.
  Qed.
  Lemma EM_zero ks : EM ks (fun _ => zero) = zero.
  Proof.
    induction ks as [|k ks IH]; simpl; [reflexivity|]. rewrite (av_ext _ (means_ok k) _ (fun _ => zero)) by (intros; apply IH).
    apply (av_zero _ (means_ok k)).
  Qed.
  Lemma EM_left ks a : forall F, EM ks (fun pv => times NN a (F pv)) = times NN a (EM ks F).
  Proof.
    induction ks as [|k ks IH]; intros F; simpl; [reflexivity|]. rewrite <- (av_left _ (means_ok k)).
    apply (av_ext _ (means_ok k)). intros w. apply IH.
  Qed.
  Lemma EM_right ks a : forall F, EM ks (fun pv => times NN (F pv) a) = times NN (EM ks F) a.
  Proof.
    induction ks as [|k ks IH]; intros F; simpl; [reflexivity|]. rewrite <- (av_right _ (means_ok k)).
    apply (av_ext _ (means_ok k)). intros w. apply IH.
  Qed.
  Lemma EM_trace ks a : forall F, EM ks (fun pv => scale (trace NN (F pv)) a) = scale (trace NN (EM ks F)) a.
  Proof.
    induction ks as [|k ks IH]; intros F; simpl; [reflexivity|]. rewrite (av_trace _ (means_ok k)), <- (av_scale_r _ (means_ok k)).
    apply (av_ext _ (means_ok k)). intros w. apply IH.
  Qed.
  Lemma EM_flip ks : forall F, EM ks (fun pv => flip (F pv)) = flip (EM ks F).
  Proof.
    induction ks as [|k ks IH]; intros F; simpl; [reflexivity|]. rewrite <- (av_flip _).
    apply (av_ext _ (means_ok k)). intros w. apply IH.
  Qed.
  Lemma EM_app ks ls : forall H, EM (ks ++ ls) (fun pv => H (firstn (length ks) pv) (skipn (length ks) pv)) =
    EM ks (fun p => EM ls (fun q => H p q)).
  Proof.
    induction ks as [|k ks IH]; intros H; simpl; [reflexivity|]. apply (av_ext _ (means_ok k)). intros w.
    rewrite <- (IH (fun p q => H (w :: p) q)). reflexivity.
  Qed.
  Lemma EM_swap i : forall ks F, (Datatypes.S i < length ks)%nat -> EM (swap_list i ks) (fun pv => F (swap_list i pv)) = EM ks F.
  Proof.
    induction i as [|i IH]; intros ks F L.
    - destruct ks as [|k [|l ks]]; simpl in L; try lia. simpl. apply fm_ext; intros a b. unfold average.
      apply (means_swap l k (fun w v => EM ks (fun pv => F (v :: w :: pv)) a b)).
    - destruct ks as [|k ks]; simpl in L; try lia. simpl. apply (av_ext _ (means_ok k)). intros w.
      apply (IH ks (fun pv => F (w :: pv))). lia.
  Qed.

  (** Letters that look the same. *)
  Definition alike (nv : nat -> W) pv (f : atom -> atom) nv' pv' (a : atom) : Prop := aval nv pv (f a) = aval nv' pv' a.
  Lemma map_word nv pv f nv' pv' u : (forall a, In a u -> alike nv pv f nv' pv' a) -> wval nv pv (map f u) = wval nv' pv' u.
  Proof.
    induction u as [|a u IH]; intros P; simpl; [reflexivity|]. rewrite IH by (intros; apply P; right; auto).
    rewrite (P a) by (left; auto). reflexivity.
  Qed.
  Lemma map_words nv pv f nv' pv' l : (forall a, In a (concat l) -> alike nv pv f nv' pv' a) -> sval nv pv (map (map f) l) = sval nv' pv' l.
  Proof.
    induction l as [|u l IH]; intros P; simpl; [reflexivity|].
    rewrite IH by (intros; apply P; simpl; apply in_or_app; auto).
    rewrite (map_word nv pv f nv' pv' u) by (intros; apply P; simpl; apply in_or_app; auto). reflexivity.
  Qed.
  Lemma nth_swap {A} i : forall (pv : list A) d j, (Datatypes.S i < length pv)%nat -> nth (swap_at i j) pv d = nth j (swap_list i pv) d.
  Proof.
    unfold swap_at. induction i as [|i IH]; intros pv d j L.
    - destruct pv as [|x [|y pv]]; simpl in L; try lia. destruct j as [|[|j]]; reflexivity.
    - destruct pv as [|x pv]; simpl in L; try lia. destruct j as [|j]; [reflexivity|].
      simpl swap_list. simpl nth at 2. rewrite <- (IH pv d j) by lia. simpl Nat.eqb.
      destruct (Nat.eqb j i); [reflexivity|]. destruct j as [|j].
      + reflexivity.
      + change (Nat.eqb (Datatypes.S j) (Datatypes.S i)) with (Nat.eqb j i). destruct (Nat.eqb j i); reflexivity.
  Qed.
  Lemma length_swap {A} i : forall l : list A, length (swap_list i l) = length l.
  Proof. induction i; intros [|x [|y l]]; simpl; auto; rewrite IHi; reflexivity. Qed.
  Lemma swap_ok nv i q : kval nv (swap_key i q) = kval nv q.
  Proof.
    destruct q as [[ks l] u]. unfold swap_key. destruct (Nat.ltb_spec (Datatypes.S i) (length ks)) as [L|]; [|reflexivity].
    unfold kval. cbn [fst]. rewrite <- (EM_swap i ks _ L). apply EM_ext. intros pv P. rewrite length_swap in P.
    unfold kbody. assert (G : forall a, alike nv pv (remark (swap_at i)) nv (swap_list i pv) a).
    { intros a. unfold alike, aval. f_equal. destruct a as [k [x|j] t|r s t|r s t|s]; try reflexivity.
      simpl. rewrite nth_swap by lia. reflexivity. }
    rewrite (map_word _ _ _ nv (swap_list i pv)), (map_words _ _ _ nv (swap_list i pv)) by auto. reflexivity.
  Qed.
  Lemma least_ok {A} (P : A -> Prop) code : forall l x, P x -> (forall y, In y l -> P y) -> P (least code x l).
  Proof.
    induction l as [|y l IH]; intros x H G; simpl; [exact H|]. apply IH; [|intros; apply G; right; auto].
    destruct (before _ _); [exact H | apply G; left; auto].
  Qed.
  Lemma cycle_ok nv pv u : trace NN (wval nv pv (cycle infos u)) = trace NN (wval nv pv u).
  Proof.
    unfold cycle. apply (least_ok (fun w => trace NN (wval nv pv w) = trace NN (wval nv pv u))); [reflexivity|].
    intros y J. apply in_app_or in J. destruct J as [J|J]; rewrite (rots_ok nv pv _ _ _ J); [reflexivity|].
    rewrite turn_word_val. apply tr_flip.
  Qed.
  Lemma insert_ok nv pv u l : sval nv pv (insert u l) = trace NN (wval nv pv u) * sval nv pv l.
  Proof.
    induction l as [|v l IH]; [reflexivity|]. cbn [insert]. destruct (before (wcode u) (wcode v)); [reflexivity|].
    change (trace NN (wval nv pv v) * sval nv pv (insert u l) = trace NN (wval nv pv u) * (trace NN (wval nv pv v) * sval nv pv l)).
    rewrite IH. ring.
  Qed.
  Lemma sorted_ok nv pv l : sval nv pv (sorted infos l) = sval nv pv l.
  Proof. induction l as [|u l IH]; simpl; [reflexivity|]. rewrite insert_ok, cycle_ok, IH. reflexivity. Qed.
  Lemma neat_ok nv q : kval nv (neat infos q) = kval nv q.
  Proof. destruct q as [[ks l] u]. unfold kval, neat, kbody. cbn [fst]. apply EM_ext. intros pv _. rewrite sorted_ok. reflexivity. Qed.
  Lemma canon_ok nv q : kval nv (canon infos q) = kval nv q.
  Proof.
    unfold canon. apply (least_ok (fun x => kval nv x = kval nv q)); [apply neat_ok|].
    intros y J. apply in_map_iff in J. destruct J as (s & <- & _). rewrite neat_ok.
    generalize q. induction s as [|i s IH]; intros p; simpl; [reflexivity|]. rewrite IH. apply swap_ok.
  Qed.
  Lemma lval_app nv a b : lval nv (a ++ b) = plus (lval nv a) (lval nv b).
  Proof. induction a; simpl; [symmetry; apply zero_plus | rewrite IHa, plus_assoc; reflexivity]. Qed.
  Lemma clean_ok nv t : tval nv t = lval nv (clean infos t).
  Proof.
    destruct t as [c [[ks l] u]]. unfold clean, tval, kval. cbn [fst snd].
    rewrite (EM_ext ks _ (fun pv => fold_right (fun p x => plus (fold_right (fun q y => plus
        (scale (cval (fst p) * cval (fst (fst q))) (kbody nv (ks, snd p ++ snd (fst q), snd q) pv)) y) zero (simplify infos fuel u)) x)
        zero (settles infos l))).
    - induction (settles infos l) as [|p m IH]; cbn [fold_right flat_map].
      + rewrite EM_zero, scale_zero. reflexivity.
      + rewrite EM_plus, scale_plus, lval_app, IH. f_equal. clear IH.
        induction (simplify infos fuel u) as [|q w IH]; cbn [fold_right map lval].
        * rewrite EM_zero, scale_zero. reflexivity.
        * rewrite EM_plus, scale_plus, IH. f_equal. rewrite EM_scale, scale_scale. unfold tval, kval. cbn [fst snd cval].
          reflexivity.
    - intros pv _. unfold kbody. rewrite (settles_ok nv pv l), (simplify_ok nv pv fuel u).
      induction (settles infos l) as [|p m IH]; cbn [fold_right]; [apply zero_scale|].
      rewrite <- IH. unfold slin. cbn [fold_right]. rewrite scale_sum. f_equal. clear IH.
      induction (simplify infos fuel u) as [|q w IH]; cbn [fold_right]; [apply scale_zero|].
      rewrite <- IH. unfold wlin. cbn [fold_right]. rewrite scale_plus. f_equal. rewrite !scale_scale, sval_app. f_equal. ring.
  Qed.
  Lemma plain_ok nv l : lval nv l = lval nv (flat_map (plain_term infos) l).
  Proof.
    induction l as [|t l IH]; simpl; [reflexivity|]. rewrite lval_app, <- IH, clean_ok. f_equal. unfold plain_term.
    induction (clean infos t) as [|p m IHm]; simpl; [reflexivity|]. rewrite IHm. f_equal. unfold tval. cbn [fst snd].
    rewrite canon_ok. reflexivity.
  Qed.
  Lemma gather_ok nv t l : lval nv (gather t l) = plus (tval nv t) (lval nv l).
  Proof.
    assert (Cons : forall t l, lval nv (t :: l) = plus (tval nv t) (lval nv l)) by reflexivity.
    destruct t as [c k]. induction l as [|[d k'] l IH]; cbn [gather fst snd]; [reflexivity|].
    destruct (key_dec k k') as [<-|]; rewrite !Cons.
    - unfold tval. cbn [fst snd cval]. rewrite scale_sum, plus_assoc. reflexivity.
    - rewrite IH. apply fm_ext; intros; unfold plus; ring.
  Qed.
  Lemma gathered_ok nv l : lval nv l = lval nv (gathered infos l).
  Proof.
    rewrite plain_ok. unfold gathered. induction (flat_map _ l) as [|t m IH]; simpl; [reflexivity|].
    rewrite gather_ok, IH. reflexivity.
  Qed.
  Lemma vanish nv l : Forall (fun c => cval c = 0) (map fst (gathered infos l)) -> lval nv l = zero.
  Proof.
    rewrite gathered_ok. induction (gathered infos l) as [|t m IH]; simpl; intros H; [reflexivity|].
    inversion H; subst. rewrite (IH H3). unfold tval. rewrite H2, zero_scale. apply zero_plus.
  Qed.

  (** Formulas. *)
  Lemma by_factor_ok nv z l : lval nv (by_factor z l) = scale (IZR z) (lval nv l).
  Proof.
    induction l as [|t l IH]; simpl; [symmetry; apply scale_zero|]. rewrite IH, scale_plus. unfold tval. cbn [fst snd cval].
    rewrite scale_scale. reflexivity.
  Qed.
  Lemma skip_alike nv pv n a : alike nv pv (shift n) nv (skipn n pv) a.
  Proof.
    unfold alike, aval. f_equal. destruct a as [k [x|i] t|r s t|r s t|s]; try reflexivity. simpl. do 2 f_equal.
    revert n. induction pv as [|w pv IH]; intros [|n]; simpl; rewrite ?Nat.add_0_r; try reflexivity.
    - destruct (i + Datatypes.S n)%nat, i; reflexivity.
    - rewrite Nat.add_succ_r. apply IH.
  Qed.
  Lemma first_alike nv pv n a :
    match a with At _ (Ps i) _ => Nat.ltb i n | _ => true end = true -> alike nv pv (fun x => x) nv (firstn n pv) a.
  Proof.
    unfold alike, aval. intros H. f_equal. destruct a as [k [x|i] t|r s t|r s t|s]; try reflexivity. simpl.
    apply Nat.ltb_lt in H. do 2 f_equal. revert n i H. induction pv as [|w pv IH]; intros [|n] [|i] H; simpl; try lia; try reflexivity.
    apply IH. lia.
  Qed.
  Lemma map_same {A} (l : list A) : map (fun x => x) l = l. Proof. apply map_id. Qed.
  Lemma first_word nv pv n u :
    forallb (fun a => match a with At _ (Ps i) _ => Nat.ltb i n | _ => true end) u = true -> wval nv pv u = wval nv (firstn n pv) u.
  Proof.
    intros H. rewrite forallb_forall in H. rewrite <- (map_word nv pv (fun x => x) nv (firstn n pv) u).
    - rewrite map_same. reflexivity.
    - intros a J. apply first_alike, H, J.
  Qed.
  Lemma first_words nv pv n l :
    forallb (fun a => match a with At _ (Ps i) _ => Nat.ltb i n | _ => true end) (concat l) = true -> sval nv pv l = sval nv (firstn n pv) l.
  Proof.
    intros H. rewrite forallb_forall in H. rewrite <- (map_words nv pv (fun x => x) nv (firstn n pv) l).
    - rewrite (map_ext _ (fun x => x)) by (intros; apply map_same). rewrite map_same. reflexivity.
    - intros a J. apply first_alike, H, J.
  Qed.
  Lemma scale_term_ok nv s t : scoped s = true -> tval nv (scale_term s t) = scale (trace NN (tval nv s)) (tval nv t).
  Proof.
    destruct s as [c [[ks l] u]], t as [d [[ls m] v]]. unfold scoped, scale_term, tval, kval. cbn [fst snd cval].
    rewrite forallb_app. intros H. apply andb_prop in H. destruct H as (H & K).
    rewrite (EM_ext (ks ++ ls) _ (fun pv => scale (trace NN (kbody nv (ks, l, u) (firstn (length ks) pv)))
                                              (kbody nv (ls, m, v) (skipn (length ks) pv)))).
    - rewrite (EM_app ks ls (fun p q => scale (trace NN (kbody nv (ks, l, u) p)) (kbody nv (ls, m, v) q))).
      rewrite (EM_ext ks _ (fun p => scale (trace NN (kbody nv (ks, l, u) p)) (EM ls (kbody nv (ls, m, v))))) by (intros; apply EM_scale).
      rewrite EM_trace, tr_scale, !scale_scale. f_equal. ring.
    - intros pv _. unfold kbody. rewrite sval_app. cbn [sval fold_right]. fold (sval nv pv (map (map (shift (length ks))) m)).
      rewrite (first_words nv pv (length ks) l H), (first_word nv pv (length ks) u K).
      rewrite (map_word _ _ _ nv (skipn (length ks) pv) v), (map_words _ _ _ nv (skipn (length ks) pv) m) by (intros; apply skip_alike).
      rewrite tr_scale, scale_scale. f_equal. ring.
  Qed.
  Lemma times_term_ok nv s t : scoped s = true -> tval nv (times_term s t) = times NN (tval nv s) (tval nv t).
  Proof.
    destruct s as [c [[ks l] u]], t as [d [[ls m] v]]. unfold scoped, times_term, tval, kval. cbn [fst snd cval].
    rewrite forallb_app. intros H. apply andb_prop in H. destruct H as (H & K).
    rewrite (EM_ext (ks ++ ls) _ (fun pv => times NN (kbody nv (ks, l, u) (firstn (length ks) pv))
                                              (kbody nv (ls, m, v) (skipn (length ks) pv)))).
    - rewrite (EM_app ks ls (fun p q => times NN (kbody nv (ks, l, u) p) (kbody nv (ls, m, v) q))).
      rewrite (EM_ext ks _ (fun p => times NN (kbody nv (ks, l, u) p) (EM ls (kbody nv (ls, m, v))))) by (intros; apply EM_left).
      rewrite EM_right, times_scale_l, times_scale_r, scale_scale. reflexivity.
    - intros pv _. unfold kbody. rewrite sval_app, wval_app.
      rewrite (first_words nv pv (length ks) l H), (first_word nv pv (length ks) u K).
      rewrite (map_word _ _ _ nv (skipn (length ks) pv) v), (map_words _ _ _ nv (skipn (length ks) pv) m) by (intros; apply skip_alike).
      rewrite times_scale_l, times_scale_r, scale_scale. reflexivity.
  Qed.
  Lemma products_scale nv a b : forallb scoped a = true -> lval nv (products scale_term a b) = scale (trace NN (lval nv a)) (lval nv b).
  Proof.
    unfold products. induction a as [|s a IH]; simpl; intros H; [rewrite tr_zero; symmetry; apply zero_scale|].
    apply andb_prop in H. destruct H as (H & K). rewrite lval_app, (IH K), tr_plus, scale_sum. f_equal. clear IH.
    induction b as [|t b IH]; simpl; [symmetry; apply scale_zero|]. rewrite IH, scale_term_ok, scale_plus by auto. reflexivity.
  Qed.
  Lemma products_times nv a b : forallb scoped a = true -> lval nv (products times_term a b) = times NN (lval nv a) (lval nv b).
  Proof.
    unfold products. induction a as [|s a IH]; simpl; intros H; [symmetry; apply times_zero_l|].
    apply andb_prop in H. destruct H as (H & K). rewrite lval_app, (IH K), times_plus_l. f_equal. clear IH.
    induction b as [|t b IH]; simpl; [symmetry; apply times_zero_r|]. rewrite IH, times_term_ok, times_plus_r by auto. reflexivity.
  Qed.

  Lemma kval_alike nv nv' q : (forall pv a, In a (atoms q) -> alike nv pv (fun x => x) nv' pv a) -> kval nv q = kval nv' q.
  Proof.
    destruct q as [[ks l] u]. intros P. unfold kval. cbn [fst]. apply EM_ext. intros pv _. unfold kbody.
    rewrite <- (map_word nv pv (fun x => x) nv' pv u), <- (map_words nv pv (fun x => x) nv' pv l).
    - rewrite map_same, (map_ext _ (fun x => x)) by (intros; apply map_same). rewrite map_same. reflexivity.
    - intros a J. apply P. simpl. apply in_or_app; auto.
    - intros a J. apply P. simpl. apply in_or_app; auto.
  Qed.
  Lemma history_two u v f : (forall g h, agree u g h -> f g = f h) -> (forall g h, agree v g h -> f g = f h) ->
    history E h0 u f = history E h0 v f.
  Proof.
    intros P Q. destruct (Nat.le_ge_cases u v) as [L|L].
    - symmetry. apply (history_more E HE h0 u v f L P).
    - apply (history_more E HE h0 v u f L Q).
  Qed.
  Lemma settled_kval nv m j q : forallb (settled_by win m j) (atoms q) = true ->
    forall g h, agree (nth j hs O) g h -> kval (set nv m (h0 O, g)) q = kval (set nv m (h0 O, h)) q.
  Proof.
    intros H g h A. rewrite forallb_forall in H. apply kval_alike. intros pv a J. specialize (H a J).
    unfold alike, aval. f_equal. destruct a as [k [x|i] t|r s t|r s t|s]; try reflexivity. simpl in *. unfold set.
    destruct (Nat.eqb x m); [|reflexivity]. rewrite (settled_ok j k H g h A). reflexivity.
  Qed.
  Lemma kind_ok nv k m q : average (means k) (fun w => kval (set nv m w) q) = average (means (kind_for win k m q)) (fun w => kval (set nv m w) q).
  Proof.
    unfold kind_for. destruct k as [|j]; [reflexivity|]. destruct (forallb _ _) eqn:H; [|reflexivity].
    destruct (find _ _) as [i|] eqn:F; [|reflexivity]. apply find_some in F. destruct F as (_ & G).
    apply fm_ext; intros a b. unfold average. simpl means.
    apply history_two; intros g h A; [rewrite (settled_kval nv m j q H g h A) | rewrite (settled_kval nv m i q G g h A)]; reflexivity.
  Qed.
  Lemma bind_ok nv k m t : average (means k) (fun w => tval (set nv m w) t) = tval nv (bind win k m t).
  Proof.
    destruct t as [c q]. unfold tval at 1. cbn [fst snd]. rewrite (av_scale _ (means_ok k)).
    destruct q as [[ks l] u]. unfold bind. destruct (existsb _ _) eqn:H.
    - unfold tval. cbn [fst snd]. f_equal. rewrite kind_ok. set (k' := kind_for win k m (ks, l, u)).
      unfold kval. cbn [fst EM]. apply (av_ext _ (means_ok k')). intros w. apply EM_ext. intros pv _. unfold kbody.
      assert (G : forall a, alike nv (w :: pv) (bind_atom m) (set nv m w) pv a).
      { intros a. unfold alike, aval. f_equal. destruct a as [x [y|i] t|r s t|r s t|s]; try reflexivity. simpl. unfold set.
        destruct (Nat.eqb y m); reflexivity. }
      rewrite (map_word _ _ _ (set nv m w) pv u), (map_words _ _ _ (set nv m w) pv l) by auto. reflexivity.
    - unfold tval. cbn [fst snd]. f_equal. rewrite (av_ext _ (means_ok k) _ (fun _ => kval nv (ks, l, u))); [apply (av_const _ (means_ok k))|].
      intros w. apply kval_alike. intros pv a J. unfold alike, aval. f_equal.
      destruct a as [x [y|i] t|r s t|r s t|s]; try reflexivity. simpl. unfold set. destruct (Nat.eqb y m) eqn:Q; [|reflexivity].
      assert (X : existsb (has_mark m) (atoms (ks, l, u)) = true) by (apply existsb_exists; eexists; split; [exact J | exact Q]).
      rewrite X in H. discriminate H.
  Qed.
  Lemma bind_all nv k m l : average (means k) (fun w => lval (set nv m w) l) = lval nv (map (bind win k m) l).
  Proof.
    induction l as [|t l IH]; simpl; [apply (av_zero _ (means_ok k))|]. rewrite (av_plus _ (means_ok k)), IH, bind_ok. reflexivity.
  Qed.
  Lemma map_lval nv f g l : (forall t, tval nv (f t) = g (tval nv t)) -> (forall a b, g (plus a b) = plus (g a) (g b)) -> g zero = zero ->
    lval nv (map f l) = g (lval nv l).
  Proof. intros P Q Z. induction l as [|t l IH]; simpl; [symmetry; exact Z|]. rewrite IH, P, Q. reflexivity. Qed.
  Lemma turn_term_ok nv t : tval nv (turn_term infos t) = flip (tval nv t).
  Proof.
    destruct t as [c [[ks l] u]]. unfold turn_term, tval, kval. cbn [fst snd].
    change (flip (scale (cval c) ?a)) with (scale (cval c) (flip a)). f_equal. rewrite <- EM_flip. apply EM_ext. intros pv _.
    unfold kbody. rewrite turn_word_val. reflexivity.
  Qed.
  Lemma behind_ok nv a t (B := clip match a with Up r s t => flipped t (upper (dim r) (dim s)) | Lo r s t => flipped t (lower (dim r) (dim s)) | Iden s => identity (dim s) | At _ _ _ => zero end) :
    (match a with At _ _ _ => False | _ => True end) -> tval nv (behind a t) = times NN B (tval nv t).
  Proof.
    intros H. destruct t as [c [[ks l] u]]. unfold tval, kval. cbn [fst snd behind]. rewrite times_scale_r. f_equal.
    rewrite <- EM_left. apply EM_ext. intros pv _. unfold kbody. rewrite times_scale_r. f_equal.
    destruct a; [destruct H| | | ]; reflexivity.
  Qed.
  Lemma ahead_ok nv a t (B := clip match a with Up r s t => flipped t (upper (dim r) (dim s)) | Lo r s t => flipped t (lower (dim r) (dim s)) | Iden s => identity (dim s) | At _ _ _ => zero end) :
    (match a with At _ _ _ => False | _ => True end) -> tval nv (ahead a t) = times NN (tval nv t) B.
  Proof.
    intros H. destruct t as [c [[ks l] u]]. unfold tval, kval. cbn [fst snd ahead]. rewrite times_scale_l. f_equal.
    rewrite <- EM_right. apply EM_ext. intros pv _. unfold kbody. rewrite times_scale_l. f_equal. rewrite wval_app, wval_one.
    destruct a; [destruct H| | | ]; reflexivity.
  Qed.
  Lemma trace_term_ok nv t : tval nv (trace_term t) = scale (trace NN (tval nv t)) (identity 1).
  Proof.
    destruct t as [c [[ks l] u]]. unfold tval, kval. cbn [fst snd trace_term]. rewrite tr_scale, <- scale_scale. f_equal.
    rewrite <- EM_trace. apply EM_ext. intros pv _. unfold kbody. cbn [sval fold_right]. fold (sval nv pv l).
    rewrite wval_one, aval_clip_id, tr_scale by reflexivity. f_equal. ring.
  Qed.
  Lemma number_one a : sized 1 1 a -> number (a O O) = a. Proof. intros A. symmetry. apply number_eq, A. Qed.
  Lemma id_number x : scale x (identity 1) = number x.
  Proof. apply fm_ext. intros [|i] [|j]; unfold scale, identity, number; simpl; try ring. destruct (Nat.eqb i j); ring. Qed.
  Lemma number_only_ok a : number_only a = true -> a = Some (unit_size, unit_size).
  Proof. unfold number_only. destruct a as [[r c]|]; [|discriminate]. intros H. conds. reflexivity. Qed.
  Definition good e := forall nv r c, shape infos win e = Some (r, c) ->
    sized (dim r) (dim c) (evm nv e) /\ evm nv e = lval nv (terms infos win e).
  Lemma good_number e : good e -> number_only (shape infos win e) = true -> forall nv,
    number (evn nv e) = lval nv (terms infos win e) /\ evn nv e = trace NN (lval nv (terms infos win e)).
  Proof.
    intros G H nv. apply number_only_ok in H. destruct (G nv _ _ H) as (A & B).
    rewrite evn_is, number_one by exact A. split; [exact B|]. rewrite <- B. symmetry. apply trace_number; [apply one_le | exact A].
  Qed.
  Ltac start_case := intros nv r c H; cbn [shape] in H.
  Lemma num_case nv x l : number x = lval nv l -> sized (dim unit_size) (dim unit_size) (number x) /\ number x = lval nv l.
  Proof. intros H. split; [apply sized_number | exact H]. Qed.
  Lemma number_plus x y : number (x + y) = plus (number x) (number y).
  Proof. apply fm_ext. intros [|i] [|j]; unfold plus; simpl; ring. Qed.
  Lemma number_scale x y : number (x * y) = scale x (number y).
  Proof. apply fm_ext. intros [|i] [|j]; unfold scale; simpl; ring. Qed.
  Lemma single_lval nv c q : lval nv [(c, q)] = scale (cval c) (kval nv q). Proof. unfold lval. simpl. apply plus_zero. Qed.
  Lemma word_lval nv c u : lval nv [(c, ([], [], u))] = scale (cval c) (wval nv [] u).
  Proof. rewrite single_lval. unfold kval, kbody. cbn [fst EM sval fold_right]. rewrite scale_one. reflexivity. Qed.
  Theorem terms_ok : forall e, good e.
  Proof.
    induction e; intros nv r' c' H; cbn [shape] in H.
    - (* ML *) destruct (_ && _) eqn:F in H; [|discriminate H]. injection H as <- <-. conds. destruct (letter_ok k) as (A & _).
      split; [apply A|]. cbn [terms evm]. unfold letter_term. rewrite word_lval, wval_one. cbn [cval]. rewrite scale_one.
      symmetry. unfold aval. simpl. apply clip_id. eapply sized_more; [| |apply A]; apply dim_le; auto.
    - (* MI *) destruct (fine s) eqn:F; [|discriminate H]. injection H as <- <-. split; [apply sized_identity|].
      cbn [terms evm]. rewrite word_lval, wval_one, aval_clip_id by auto. cbn [cval]. rewrite scale_one. reflexivity.
    - (* MO *) injection H as <- <-. split; [apply sized_zero | reflexivity].
    - (* MAdd *) unfold same in H. destruct (shape infos win e1) as [[a b]|] eqn:X; [|discriminate H].
      destruct (shape infos win e2) as [[a' b']|] eqn:Y; [|discriminate H]. destruct (_ && _) eqn:F in H; [|discriminate H].
      injection H as <- <-. conds. destruct (IHe1 nv _ _ X) as (A & B), (IHe2 nv _ _ Y) as (C & D). cbn [evm terms].
      split; [apply sized_plus; auto|]. rewrite lval_app, B, D. reflexivity.
    - (* MSub *) unfold same in H. destruct (shape infos win e1) as [[a b]|] eqn:X; [|discriminate H].
      destruct (shape infos win e2) as [[a' b']|] eqn:Y; [|discriminate H]. destruct (_ && _) eqn:F in H; [|discriminate H].
      injection H as <- <-. conds. destruct (IHe1 nv _ _ X) as (A & B), (IHe2 nv _ _ Y) as (C & D). cbn [evm terms].
      split; [apply sized_minus; auto|]. rewrite lval_app, by_factor_ok, B, D. reflexivity.
    - (* MOpp *) destruct (IHe nv _ _ H) as (A & B). cbn [evm terms]. split; [apply sized_opp, A|]. rewrite by_factor_ok, B. reflexivity.
    - (* MSc *) destruct (_ && _) eqn:F in H; [|discriminate H]. conds. destruct (IHe2 nv _ _ H) as (A & B).
      destruct (good_number e1 IHe1 H0 nv) as (_ & C). cbn [evm terms]. split; [apply sized_scale, A|].
      rewrite products_scale, <- C, B by auto. reflexivity.
    - (* MMul *) destruct (shape infos win e1) as [[a b]|] eqn:X; [|discriminate H].
      destruct (shape infos win e2) as [[a' b']|] eqn:Y; [|discriminate H]. destruct (_ && _) eqn:F in H; [|discriminate H].
      injection H as <- <-. conds. destruct (IHe1 nv _ _ X) as (A & B), (IHe2 nv _ _ Y) as (C & D). cbn [evm terms].
      split; [eapply sized_times; [exact A | exact C]|]. rewrite products_times, <- B, <- D by auto. symmetry.
      eapply times_more; [apply dim_le; auto | exact A].
    - (* MT *) destruct (shape infos win e) as [[a b]|] eqn:X; [|discriminate H]. injection H as <- <-.
      destruct (IHe nv _ _ X) as (A & B). cbn [evm terms]. split; [apply sized_flip, A|].
      rewrite (map_lval nv (turn_term infos) flip), B; [reflexivity | apply turn_term_ok | reflexivity | reflexivity].
    - (* ME *) cbn [evm terms]. split.
      + apply (sized_average _ (means_ok k)). intros w. apply (IHe (set nv m w) _ _ H).
      + rewrite <- bind_all. apply (av_ext _ (means_ok k)). intros w. apply (IHe (set nv m w) _ _ H).
    - (* MV *) destruct (shape infos win e1) as [[a b]|] eqn:X; [|discriminate H].
      destruct (shape infos win e2) as [[a' b']|] eqn:Y; [|discriminate H]. destruct (_ && _) eqn:F in H; [|discriminate H].
      injection H as <- <-. conds. destruct (IHe1 nv _ _ X) as (A & B), (IHe2 nv _ _ Y) as (C & D). cbn [evm terms].
      rewrite dim_app. split; [apply sized_above; auto|]. rewrite lval_app.
      rewrite (map_lval nv (behind (Up r s false)) (times NN (upper (dim r) (dim s)))), (map_lval nv (behind (Lo r s false)) (times NN (lower (dim r) (dim s)))),
        <- B, <- D; try (intros; apply times_plus_r); try apply times_zero_r.
      + eapply above_is; [apply dim_le; eapply fine_l; eauto | apply dim_le; eapply fine_r; eauto | exact A].
      + intros t. rewrite behind_ok by exact I. f_equal. apply (aval_lower nv [] r s false). auto.
      + intros t. rewrite behind_ok by exact I. f_equal. apply (aval_upper nv [] r s false). auto.
    - (* MH *) destruct (shape infos win e1) as [[a b]|] eqn:X; [|discriminate H].
      destruct (shape infos win e2) as [[a' b']|] eqn:Y; [|discriminate H]. destruct (_ && _) eqn:F in H; [|discriminate H].
      injection H as <- <-. conds. destruct (IHe1 nv _ _ X) as (A & B), (IHe2 nv _ _ Y) as (C & D). cbn [evm terms].
      rewrite dim_app. split; [apply sized_beside; auto|]. rewrite lval_app.
      rewrite (map_lval nv (ahead (Up r s true)) (fun x => times NN x (flip (upper (dim r) (dim s))))),
        (map_lval nv (ahead (Lo r s true)) (fun x => times NN x (flip (lower (dim r) (dim s))))),
        <- B, <- D; try (intros; apply times_plus_l); try apply times_zero_l.
      + rewrite beside_flip. erewrite above_is; [|apply dim_le; eapply fine_l; eauto | apply dim_le; eapply fine_r; eauto | apply sized_flip; exact A].
        change (flip (plus ?a ?b)) with (plus (flip a) (flip b)). rewrite !ftimes. reflexivity.
      + intros t. rewrite ahead_ok by exact I. f_equal. apply (aval_lower nv [] r s true). auto.
      + intros t. rewrite ahead_ok by exact I. f_equal. apply (aval_upper nv [] r s true). auto.
    - (* MNum *) destruct (number_only _) eqn:F in H; [|discriminate H]. destruct (good_number e IHe F nv) as (B & _).
      rewrite (number_only_ok _ F) in H. injection H as <- <-. cbn [evm terms]. apply num_case, B.
    - (* NC *) injection H as <- <-. cbn [evm terms]. apply num_case. rewrite word_lval, wval_one, aval_clip_id, id_number by reflexivity. reflexivity.
    - (* NL *) destruct (_ && _) eqn:F in H; [|discriminate H]. injection H as <- <-. conds. cbn [evm terms]. apply num_case.
      destruct (letter_ok k) as (A & _). specialize (A (nv m)). rewrite H, H0 in A.
      unfold letter_term. rewrite word_lval, wval_one. cbn [cval]. rewrite scale_one, number_one by exact A.
      symmetry. unfold aval. simpl. apply clip_id. eapply sized_more; [| |exact A]; apply dim_le; reflexivity.
    - (* NAdd *) destruct (_ && _) eqn:F in H; [|discriminate H]. injection H as <- <-. conds. cbn [evm terms]. apply num_case.
      rewrite lval_app, number_plus. f_equal; [apply (good_number e1 IHe1 H nv) | apply (good_number e2 IHe2 H0 nv)].
    - (* NSub *) destruct (_ && _) eqn:F in H; [|discriminate H]. injection H as <- <-. conds. cbn [evm terms]. apply num_case.
      rewrite lval_app, by_factor_ok. unfold Rminus. rewrite number_plus. f_equal; [apply (good_number e1 IHe1 H nv)|].
      rewrite <- (proj1 (good_number e2 IHe2 H0 nv)), <- number_scale. f_equal. ring.
    - (* NOpp *) destruct (number_only _) eqn:F in H; [|discriminate H]. injection H as <- <-. cbn [evm terms]. apply num_case.
      rewrite by_factor_ok, <- (proj1 (good_number e IHe F nv)), <- number_scale. f_equal. ring.
    - (* NMul *) destruct (_ && _) eqn:F in H; [|discriminate H]. injection H as <- <-. conds. cbn [evm terms]. apply num_case.
      rewrite products_scale, <- (proj2 (good_number e1 IHe1 H nv)), <- (proj1 (good_number e2 IHe2 H1 nv)) by auto. apply number_scale.
    - (* NTr *) destruct (shape infos win e) as [[a b]|] eqn:X; [|discriminate H]. destruct (_ && _) eqn:F in H; [|discriminate H].
      injection H as <- <-. conds. destruct (IHe nv _ _ X) as (A & B). cbn [evm terms]. apply num_case.
      rewrite (map_lval nv trace_term (fun x => scale (trace NN x) (identity 1))), <- B.
      + rewrite id_number. f_equal. symmetry. apply trace_more; [apply dim_le; auto | exact A].
      + apply trace_term_ok.
      + intros. rewrite tr_plus, scale_sum. reflexivity.
      + rewrite tr_zero. apply zero_scale.
    - (* NAt *) destruct (number_only _) eqn:F in H; [|discriminate H]. injection H as <- <-. cbn [evm terms]. apply num_case.
      rewrite <- evn_is. apply (good_number e IHe F nv).
    - (* NE *) destruct (number_only _) eqn:F in H; [|discriminate H]. injection H as <- <-. cbn [evm terms]. apply num_case.
      rewrite <- bind_all, <- (av_number _ (means_ok k)). apply (av_ext _ (means_ok k)). intros w. apply (good_number e IHe F (set nv m w)).
  Qed.

  (** Two formulas are equal when all coefficients of their difference vanish. *)
  Theorem same_matrix nv a b : match shape infos win (MSub a b) with Some _ => true | None => false end = true ->
    Forall (fun c => cval c = 0) (coefficients infos win (MSub a b)) -> evm nv a = evm nv b.
  Proof.
    destruct (shape infos win (MSub a b)) as [[r c]|] eqn:X; [intros _|discriminate]. intros V.
    destruct (terms_ok (MSub a b) nv r c X) as (_ & B). unfold coefficients in V. rewrite (vanish nv _ V) in B. cbn [evm] in B.
    apply fm_ext; intros i j. assert (P := f_equal (fun m : mat => m i j) B). unfold minus, opp, plus, scale, zero in P. lra.
  Qed.
  Theorem same_number nv a b : match shape infos win (NSub a b) with Some _ => true | None => false end = true ->
    Forall (fun c => cval c = 0) (coefficients infos win (NSub a b)) -> evn nv a = evn nv b.
  Proof.
    destruct (shape infos win (NSub a b)) as [[r c]|] eqn:X; [intros _|discriminate]. intros V.
    destruct (terms_ok (NSub a b) nv r c X) as (_ & B). unfold coefficients in V. rewrite (vanish nv _ V) in B. cbn [evm] in B.
    assert (P := f_equal (fun m : mat => m O O) B). unfold number, zero in P. lra.
  Qed.
End Value.

(** * Orders: sums of nonnegative matrices *)

Section Orders.
  Context (n : nat).
  Lemma nn_of_zero a : a = zero -> nonneg n a.
  Proof.
    intros ->. split; [reflexivity|]. intros x. rewrite times_zero_r, times_zero_l. unfold zero. lra.
  Qed.
  Lemma nn_plus a b : nonneg n a -> nonneg n b -> nonneg n (plus a b).
  Proof.
    intros (A & P) (B & Q). split; [change (plus (flip a) (flip b) = plus a b); rewrite A, B; reflexivity|].
    intros x. rewrite times_plus_r, times_plus_l. apply add_nn; auto.
  Qed.
  Lemma nn_scale c a : 0 <= c -> nonneg n a -> nonneg n (scale c a).
  Proof.
    intros C (A & P). split; [change (scale c (flip a) = scale c a); rewrite A; reflexivity|].
    intros x. rewrite times_scale_r, times_scale_l. apply mul_nn; auto.
  Qed.
  Lemma nn_unscale c a : 0 < c -> nonneg n (scale c a) -> nonneg n a.
  Proof.
    intros C P. replace a with (scale (/ c) (scale c a)).
    - apply nn_scale; [apply Rlt_le, Rinv_0_lt_compat, C | exact P].
    - rewrite scale_scale. rewrite Rinv_l by lra. apply scale_one.
  Qed.
  Lemma nn_average {W} (E : (W -> R) -> R) (H : expectation E) f : (forall w, nonneg n (f w)) -> nonneg n (average E f).
  Proof.
    intros P. split.
    - rewrite <- av_flip. apply (av_ext E H). intros w. apply P.
    - intros x. rewrite <- (av_left E H), <- (av_right E H). apply (m_pos E H). intros w. apply P.
  Qed.
  Lemma nn_congruence m l z : nonneg m z -> nonneg n (times m (times m l z) (flip l)).
  Proof.
    intros (Z & P). split.
    - rewrite !ftimes, Z, flip_flip, tassoc. reflexivity.
    - intros x. specialize (P (times n (flip l) x)). rewrite ftimes, flip_flip in P. rewrite !tassoc in *. exact P.
  Qed.
  Lemma gram_entry m l : 0 <= times m l (flip l) O O.
  Proof. apply nsum_pos. intros k _. unfold flip. apply Rle_0_sqr. Qed.
  Lemma nn_gram m l : nonneg n (times m l (flip l)).
  Proof.
    split; [rewrite ftimes, flip_flip; reflexivity|]. intros x.
    assert (P := gram_entry m (times n (flip x) l)). rewrite ftimes, flip_flip in P. rewrite !tassoc in *. exact P.
  Qed.
  Lemma congruence_entry m l z : nonneg m z -> 0 <= times m (times m l z) (flip l) O O.
  Proof. intros (_ & P). exact (P (flip l)). Qed.
  Lemma nn_identity : nonneg n (identity n).
  Proof.
    assert (G := nn_gram n (identity n)).
    rewrite flip_identity, (times_id_l n n n _ (le_n n) (sized_identity n)) in G. exact G.
  Qed.
  Lemma nn_inverse a b : inverse n a b -> sized n n a -> nonneg n a -> nonneg n b.
  Proof.
    intros (S_ & F & _ & I) A P. assert (G := nn_congruence n b a P). rewrite I, F in G.
    rewrite (times_id_l n n n b (le_n n) S_) in G. exact G.
  Qed.
  Lemma inverse_sym a b : inverse n a b -> flip b = b. Proof. intros H; apply H. Qed.
  Lemma below_sym a b : below n a b -> minus (flip (minus b a)) (minus b a) = zero.
  Proof. intros (P & _). rewrite P. apply fm_ext; intros; unfold minus, opp, plus, scale, zero; ring. Qed.
  Lemma below_of a b s : nonneg n s -> minus b a = s -> below n a b. Proof. unfold below. intros P ->. exact P. Qed.
  Lemma below_scaled c a b s : 0 < c -> nonneg n s -> scale c (minus b a) = s -> below n a b.
  Proof. unfold below. intros C P Q. apply (nn_unscale c); [exact C | rewrite Q; exact P]. Qed.
End Orders.

Lemma minus_none (a b : mat) : a = b -> minus a b = zero.
Proof. intros ->. apply fm_ext; intros; unfold minus, opp, plus, scale, zero; ring. Qed.
Lemma minus_some (a b : mat) : minus a b = zero -> a = b.
Proof. intros H. apply fm_ext; intros i j. assert (P := f_equal (fun m : mat => m i j) H). unfold minus, opp, plus, scale, zero in P. lra. Qed.
Lemma none_flip (a : mat) : a = zero -> flip a = zero. Proof. intros ->; reflexivity. Qed.
Lemma none_left n (a b : mat) : b = zero -> times n a b = zero. Proof. intros ->; apply times_zero_r. Qed.
Lemma none_right n (a b : mat) : a = zero -> times n a b = zero. Proof. intros ->; apply times_zero_l. Qed.
Lemma none_scale c (a : mat) : a = zero -> scale c a = zero. Proof. intros ->; apply scale_zero. Qed.
Lemma none_trace n (a : mat) : a = zero -> trace n a = 0. Proof. intros ->; apply tr_zero. Qed.
Lemma none_entry (a : mat) : a = zero -> a O O = 0. Proof. intros ->; reflexivity. Qed.
Lemma none_number x : x = 0 -> number x = zero. Proof. intros ->. apply fm_ext. intros [|i] [|j]; reflexivity. Qed.
Lemma none_product c x : x = 0 -> c * x = 0. Proof. intros ->; ring. Qed.
Lemma none_average {W} (E : (W -> R) -> R) (H : expectation E) f : (forall w, f w = zero) -> average E f = zero.
Proof. intros P. rewrite (av_ext E H f (fun _ => zero) P). apply (av_zero E H). Qed.
Lemma none_mean {W} (E : (W -> R) -> R) (H : expectation E) f : (forall w, f w = 0) -> E f = 0.
Proof. intros P. rewrite (m_ext E H f (fun _ => 0) P). apply (m_const E H). Qed.
Lemma none_nn x : x = 0 -> 0 <= x. Proof. intros ->; lra. Qed.
Lemma flip_number x : flip (number x) = number x. Proof. apply fm_ext. intros [|i] [|j]; reflexivity. Qed.
Lemma agree_less {S : Type} t u (g h : nat -> S) : (t <= u)%nat -> agree u g h -> agree t g h.
Proof. intros L A k K. apply A. lia. Qed.
Lemma le_by m l r t : 0 < m -> m * (r - l) = t -> 0 <= t -> l <= r. Proof. apply cone_le. Qed.

(** ** The trace of a product of two nonnegative matrices: one of them is a sum of squares *)
Definition quad (n : nat) (b : nat -> nat -> R) (x : nat -> R) : R := nsum n (fun i => nsum n (fun j => x i * b i j * x j)).
Lemma quad_S n b x : (forall i, b i n = b n i) ->
  quad (S n) b x = quad n b x + 2 * x n * nsum n (fun i => x i * b i n) + x n * b n n * x n.
Proof.
  intros B. unfold quad. cbn [nsum].
  rewrite nsum_plus, nsum_scale_r.
  rewrite (nsum_ext n (fun j => x n * b n j * x j) (fun j => x n * (x j * b j n))) by (intros; rewrite B; ring).
  rewrite nsum_scale. ring.
Qed.
Lemma squares n : forall b, (forall i j, b i j = b j i) -> (forall x, 0 <= quad n b x) ->
  exists l : nat -> nat -> R, forall i j, (i < n)%nat -> (j < n)%nat -> b i j = nsum n (fun k => l i k * l j k).
Proof.
  induction n as [|n IH]; intros b Y P; [exists b; intros; lia|].
  assert (Q : forall x t, 0 <= quad n b x + 2 * t * nsum n (fun i => x i * b i n) + t * b n n * t).
  { intros x t. specialize (P (fun k => if Nat.eqb k n then t else x k)). rewrite quad_S in P by auto.
    rewrite Nat.eqb_refl in P.
    rewrite (nsum_ext n (fun i => (if Nat.eqb i n then t else x i) * b i n) (fun i => x i * b i n)) in P.
    - replace (quad n b (fun k => if Nat.eqb k n then t else x k)) with (quad n b x) in P; [exact P|].
      unfold quad. apply nsum_ext; intros i I. apply nsum_ext; intros j J.
      destruct (Nat.eqb_spec i n), (Nat.eqb_spec j n); try lia; reflexivity.
    - intros i I. destruct (Nat.eqb_spec i n); [lia|reflexivity]. }
  assert (N : 0 <= b n n).
  { specialize (Q (fun _ => 0) 1). unfold quad in Q.
    rewrite (nsum_all0 n (fun i => 0 * b i n)) in Q by (intros; ring).
    rewrite (nsum_all0 n (fun i => nsum n _)) in Q by (intros; apply nsum_all0; intros; ring). lra. }
  destruct (Rle_lt_or_eq_dec _ _ N) as [N'|N'].
  - destruct (IH (fun i j => b i j - b i n * b j n / b n n)) as (l & L).
    + intros i j. rewrite (Y i j). field. lra.
    + intros x. set (s := nsum n (fun i => x i * b i n)). specialize (Q x (- s / b n n)). fold s in Q.
      replace (quad n (fun i j => b i j - b i n * b j n / b n n) x) with (quad n b x - s * s / b n n).
      * replace (quad n b x - s * s / b n n) with (quad n b x + 2 * (- s / b n n) * s + - s / b n n * b n n * (- s / b n n)) by (field; lra). exact Q.
      * unfold quad. assert (G : nsum n (fun i => nsum n (fun j => x i * b i n * (x j * b j n) / b n n)) = s * s / b n n).
        { rewrite (nsum_ext n _ (fun i => x i * b i n * (s / b n n))).
          - rewrite nsum_scale_r. fold s. field. lra.
          - intros i _. unfold s. rewrite (nsum_ext n _ (fun j => x i * b i n / b n n * (x j * b j n))) by (intros; field; lra).
            rewrite nsum_scale. field. lra. }
        rewrite <- G. transitivity (nsum n (fun i => (-1) * nsum n (fun j => x i * b i n * (x j * b j n) / b n n) + nsum n (fun j => x i * b i j * x j))).
        { rewrite nsum_lin. ring. }
        apply nsum_ext; intros i _. rewrite <- nsum_lin. apply nsum_ext; intros j _. field. lra.
    + exists (fun i k => if Nat.eqb k n then b i n / sqrt (b n n) else if Nat.eqb i n then 0 else l i k).
      assert (SQ : sqrt (b n n) * sqrt (b n n) = b n n) by (apply sqrt_sqrt; lra).
      assert (SP : sqrt (b n n) <> 0) by (apply Rgt_not_eq, sqrt_lt_R0, N').
      assert (R : forall i j, b i n / sqrt (b n n) * (b j n / sqrt (b n n)) = b i n * b j n / b n n).
      { intros i j. transitivity (b i n * b j n / (sqrt (b n n) * sqrt (b n n))); [field; auto | rewrite SQ; reflexivity]. }
      intros i j I J. cbn [nsum]. rewrite Nat.eqb_refl, R.
      rewrite (nsum_ext n _ (fun k => (if Nat.eqb i n then 0 else l i k) * (if Nat.eqb j n then 0 else l j k)))
        by (intros k K; destruct (Nat.eqb_spec k n); [lia | reflexivity]).
      destruct (Nat.eqb_spec i n) as [->|A], (Nat.eqb_spec j n) as [->|B].
      * rewrite nsum_all0 by (intros; ring). field. lra.
      * rewrite nsum_all0 by (intros; ring). rewrite (Y n j). field. lra.
      * rewrite nsum_all0 by (intros; ring). field. lra.
      * rewrite <- L by lia. field. lra.
  - assert (Z : forall i, (i < n)%nat -> b i n = 0).
    { intros i I. assert (G : forall t, 0 <= b i i + 2 * t * b i n).
      { intros t. specialize (Q (one i) t). rewrite <- N' in Q.
        rewrite (nsum_pick n i (fun k => b k n) I) in Q.
        replace (quad n b (one i)) with (b i i) in Q; [lra|]. symmetry. unfold quad.
        transitivity (nsum n (fun k => one i k * b k i)); [|apply (nsum_pick n i (fun k => b k i) I)].
        apply nsum_ext; intros k K. transitivity (nsum n (fun j => one i j * (one i k * b k j))).
        - apply nsum_ext; intros; ring.
        - rewrite (nsum_pick n i (fun j => one i k * b k j) I). ring. }
      destruct (Req_dec (b i n) 0) as [|D]; [assumption|]. exfalso.
      specialize (G (- (b i i + 1) / (2 * b i n))).
      replace (b i i + 2 * (- (b i i + 1) / (2 * b i n)) * b i n) with (-1) in G by (field; auto). lra. }
    destruct (IH b Y) as (l & L).
    + intros x. specialize (Q x 0). lra.
    + exists (fun i k => if Nat.eqb k n then 0 else if Nat.eqb i n then 0 else l i k). intros i j I J. cbn [nsum].
      rewrite Nat.eqb_refl.
      rewrite (nsum_ext n _ (fun k => (if Nat.eqb i n then 0 else l i k) * (if Nat.eqb j n then 0 else l j k)))
        by (intros k K; destruct (Nat.eqb_spec k n); [lia | reflexivity]).
      destruct (Nat.eqb_spec i n) as [->|A], (Nat.eqb_spec j n) as [->|B].
      * rewrite nsum_all0 by (intros; ring). rewrite <- N'. ring.
      * rewrite nsum_all0 by (intros; ring). rewrite (Y n j), Z by lia. ring.
      * rewrite nsum_all0 by (intros; ring). rewrite Z by lia. ring.
      * rewrite <- L by lia. ring.
Qed.
Lemma quad_entry n a x : quad n a x = times n (times n (flip (fun i _ => x i)) a) (fun i _ => x i) O O.
Proof.
  unfold quad, times, flip. rewrite nsum_swap. apply nsum_ext; intros j J. rewrite <- nsum_scale_r. reflexivity.
Qed.
Lemma trace_product n a b : nonneg n a -> nonneg n b -> 0 <= trace n (times n a b).
Proof.
  intros (A & P) (B & Q). destruct (squares n b) as (l & L).
  - intros i j. exact (f_equal (fun m : mat => m j i) B).
  - intros x. rewrite quad_entry. apply Q.
  - replace (trace n (times n a b)) with (nsum n (fun k => quad n a (fun i => l i k))).
    + apply nsum_pos. intros k _. rewrite quad_entry. apply P.
    + unfold quad, trace, times. rewrite nsum_swap. apply nsum_ext; intros i I. rewrite nsum_swap.
      apply nsum_ext; intros j J. rewrite (L j i J I), <- nsum_scale. apply nsum_ext; intros; ring.
Qed.

(** Where a claim has no sample. *)
Definition no_sample (f : unit -> R) : R := f tt.
Lemma no_sampling : sampling no_sample.
Proof. split; [split; [split|]|]; unfold no_sample; auto. intros f P; apply P; exact I. Qed.

(** How letters enter the tables. *)
Section Tables.
  Context {S : Type} (vals : list (@W S -> mat)) (vs : list nat).
  Lemma letter_plain r c f : (forall w, sized (dim vs r) (dim vs c) (f w)) -> letter_fine vals vs (Build_info r c false O) f.
  Proof. intros A. split; [exact A | split; [discriminate | intros l Q; discriminate Q]]. Qed.
  Lemma letter_symmetric r c f : (forall w, sized (dim vs r) (dim vs c) (f w)) -> (forall w, flip (f w) = f w) ->
    letter_fine vals vs (Build_info r c true O) f.
  Proof. intros A Y. split; [exact A | split; [intros _; exact Y | intros l Q; discriminate Q]]. Qed.
  Lemma letter_inverse r f l : (forall w, sized (dim vs r) (dim vs r) (f w)) -> (forall w, flip (f w) = f w) ->
    (forall w, sized (dim vs r) (dim vs r) (letter_at vals l w)) ->
    (forall w, times (dim vs r) (f w) (letter_at vals l w) = identity (dim vs r)) ->
    letter_fine vals vs (Build_info r r true (Datatypes.S l)) f.
  Proof.
    intros A Y B I. split; [exact A | split; [intros _; exact Y|]]. intros k Q w. injection Q as <-. auto.
  Qed.
End Tables.
Ltac all_vanish := repeat (apply Forall_cons; [cbn [cval nth var INR]; first [ring | field; repeat split; nz] | ]); apply Forall_nil.

Lemma none_product_r c x : x = 0 -> x * c = 0. Proof. intros ->; ring. Qed.
Lemma sandwich_nn x m : 0 <= m -> 0 <= x * m * x.
Proof. intros M. replace (x * m * x) with (m * (x * x)) by ring. apply mul_nn; [exact M | apply Rle_0_sqr]. Qed.
Lemma everywhere_equal {A B : Type} (f g : A -> B) : (forall x, f x = g x) -> f = g.
Proof. apply functional_extensionality. Qed.
Lemma put_same {S : Type} (h : nat -> S) t w : put h t w t = w. Proof. unfold put. rewrite Nat.eqb_refl. reflexivity. Qed.
Lemma average_step {S : Type} (E : (S -> R) -> R) h0 t f :
  average (history E h0 (t + 1)) f = average (history E h0 t) (fun h => average E (fun w => f (put h t w))).
Proof. apply fm_ext; intros i j. unfold average. exact (history_step E h0 t (fun h => f h i j)). Qed.

(** States of a recursion look back as far as their time. *)
Ltac settle_from k Q A :=
  first
  [ exfalso; solve [discriminate Q | destruct k; discriminate Q]
  | destruct k as [|k];
      [first [discriminate Q | reflexivity
         | unfold letter_at; cbn [nth fst snd]; first [reflexivity
             | match goal with D : forall t g h, agree t g h -> _ = _ |- _ => apply D; apply agree_less with (2 := A); cbn [nth]; lia end]]
      | cbn [nth] in Q; settle_from k Q A] ].
Ltac settled_states := cbn [settled_all]; repeat match goal with |- _ /\ _ => split end; try exact I;
  unfold settled_fine; let k := fresh in let Q := fresh in let g := fresh in let h := fresh in let A := fresh in
  intros k Q g h A; settle_from k Q A.
Ltac coefficients_vanish := match goal with |- Forall ?P ?l => let m := eval vm_compute in l in change (Forall P m) end; all_vanish.
Lemma nn_above_zero n a : below n zero a -> nonneg n a.
Proof.
  unfold below. replace (minus a zero) with a; [auto|].
  apply fm_ext; intros; unfold minus, opp, plus, scale, zero; ring.
Qed.
(** The size of a formula, read off from its parts. *)
Ltac sizes :=
  lazymatch goal with
  | |- sized _ _ (plus _ _) => apply sized_plus; sizes
  | |- sized _ _ (minus _ _) => apply sized_minus; sizes
  | |- sized _ _ (opp _) => apply sized_opp; sizes
  | |- sized _ _ (scale _ _) => apply sized_scale; sizes
  | |- sized _ _ (flip _) => apply sized_flip; sizes
  | |- sized _ _ (times _ _ _) => eapply sized_times; sizes
  | |- sized _ _ (identity _) => apply sized_identity
  | |- sized _ _ (number _) => apply sized_number
  | |- sized _ _ zero => apply sized_zero
  | |- sized _ _ (above _ _ _ _) => apply sized_above; sizes
  | |- sized _ _ (beside _ _ _ _) => apply sized_beside; sizes
  | |- sized _ _ (average (history _ _ _) _) => apply sized_average; [apply history_expectation; assumption | intro; sizes]
  | |- sized _ _ (average _ _) => apply sized_average; [apply s_mean; assumption | intro; sizes]
  | _ => first [assumption | match goal with K : _ |- _ => apply K end | eapply sized_inverse; eassumption]
  end.
