"""A small paper without slips, and ways to plant one."""

from __future__ import annotations

from pathlib import Path

from theory.project import Project, project
from theory.reading.latex.workspace import create

PAPER = r"""
\documentclass{article}
\usepackage{amsmath,amsthm}
\newtheorem{assumption}{Assumption}
\newtheorem{lemma}{Lemma}
\newcommand{\bx}{\mathbf{x}}
\title{A small paper}
\begin{document}
\section{Setting}
Let $\mathbf{S}\in\mathbb{R}^{d\times d}$ be a matrix, let $\bx_t\in\mathbb{R}^{d}$ be the iterates, and let
$\mathbf{a}$ be random with distribution $\mathcal{D}$. Let $\eta>0$ be the step size and $\mu>0$ the curvature.
Let $\mathbf{P}\in\mathbb{R}^{2d\times 2d}$ be a matrix. We define operators on $\mathbb{R}^{2d\times 2d}$,
\begin{equation*}
  \mathcal{T}=\mathbf{P}\otimes\mathbf{P}.
\end{equation*}

\begin{assumption}\label{ass:moment}
  We assume $\mathbb{E}\|\mathbf{a}\|^2\leq\sigma^2$, where $\sigma>0$.
\end{assumption}
\begin{assumption}\label{ass:order}
  We assume $\mathbf{S}\preceq L\mathbf{I}$, where $L>0$.
\end{assumption}

The recursion is
\begin{equation}\label{eq:step}
  \bx_{t}=\bx_{t-1}-\eta\mathbf{S}\bx_{t-1}+\eta\mathbf{a}\mathbf{a}^\top\bx_{t-1}+\eta\mu\bx_{t-1}.
\end{equation}

\begin{lemma}[Descent]\label{lem:descent}
  Suppose Assumption~\ref{ass:order} holds. Let $\theta=\eta\mu/(1+\eta\mu)$, where $\theta\leq 1$. Then
  \begin{equation}\label{eq:descent}
    \|\bx_t\|^2\leq\left(1-\theta\right)\|\bx_{t-1}\|^2+\frac{320\sigma^2}{\mu T}+\frac{8\eta\sigma^2}{\mu}.
  \end{equation}
\end{lemma}
\begin{proof}
  By \eqref{eq:step} we have
  \begin{equation*}
    \|\bx_t\|^2\stackrel{a}{\leq}(1-\theta)\|\bx_{t-1}\|^2+\frac{320\sigma^2}{\mu T}+\frac{8\eta\sigma^2}{\mu},
  \end{equation*}
  where $\stackrel{a}{\leq}$ uses Assumption~\ref{ass:order}.
  \begin{itemize}
    \item If $\eta\leq\mu$, there is nothing to prove.
    \item If $\mu<\eta<2\mu$, the claim follows.
    \item If $\eta\geq 2\mu$, the claim follows.
  \end{itemize}
\end{proof}

\begin{lemma}[Sum]\label{lem:sum}
  Suppose Assumptions~\ref{ass:moment} and \ref{ass:order} hold. For sequences $\{\mathbf{U}_t\}_{t\geq 1}$ and
  $\{\mathbf{V}_t\}_{t\geq 1}$, we have
  \begin{equation}\label{eq:sum}
    \sum_{t=1}^T\|\mathbf{U}_t+\mathbf{V}_t\|^2\leq 2\sum_{t=1}^T\|\mathbf{U}_t\|^2+2\sum_{t=1}^T\|\mathbf{V}_t\|^2.
  \end{equation}
\end{lemma}
\begin{proof}
  By Lemma~\ref{lem:descent}, we have
  \begin{equation*}
    \|\bx_t\|^2\leq\left(1-\theta\right)\|\bx_{t-1}\|^2+\frac{320\sigma^2}{\mu T}+\frac{8\eta\sigma^2}{\mu}.
  \end{equation*}
  Let $\mathbf{w}_{t}=\bx_t-\bx_{t-1}$. Then for $t>T/2$, we have
  \begin{equation*}
    \mathbf{w}_{t}+\mathbf{w}_{t-1}=\bx_t-\bx_{t-2}+\left(\sum_{i=1}^{2}\sum_{j=1}^{2}(i-j)\right)\bx_{t}.
  \end{equation*}
  For the first half ($t\leq T/2$) and the second half ($t>T/2$) the same holds. Let $\mathbb{E}_t$ be the expectation
  given the first $t$ samples. Then
  \begin{equation}\label{eq:mean}
    \mathbb{E}_{t-1}\|\bx_t\|^2\leq(1-\theta)\|\bx_{t-1}\|^2+\eta\mathbb{E}_{t-1}\|\mathbf{w}_t\|^2,\quad
    \mathbb{E}\|\bx_t\|^2\leq\mathbb{E}\|\bx_{t-1}\|^2.
  \end{equation}
  The step size is at most $1/(\mu T)$, and $|\theta|\leq 1$; see \eqref{eq:mean}. Define
  \begin{equation*}
    \rho=\eta\mu T+\theta\eta.
  \end{equation*}
\end{proof}
\end{document}
"""
SYMBOLS = r"""
symbol = [
{ name = "S", latex = '\mathbf{S}', shape = "dxd", meaning = "a matrix" },
{ name = "P", latex = '\mathbf{P}', shape = "2dx2d", meaning = "a matrix" },
{ name = "x", latex = '\mathbf{x}_t', shape = "d", meaning = "iterate" },
{ name = "a", latex = '\mathbf{a}', shape = "d", meaning = "sample" },
{ name = "w", latex = '\mathbf{w}_t', shape = "d", meaning = "difference" },
{ name = "eta", latex = '\eta', meaning = "step size" },
{ name = "mu", latex = '\mu', meaning = "curvature" },
{ name = "theta", latex = '\theta', meaning = "rate" },
]
"""
TWICE = "restatements"
DEFINED_BEFORE = "Define\n\\begin{equation*}\n\\rho=\\eta\\mu T+\\theta\\eta.\n\\end{equation*}\nThe recursion is"
# what is printed, what a slip makes of it, the detector that should see it
PLANTS = [
    (r"\mathbf{S}\in\mathbb{R}^{d\times d}", r"\mathbf{S}\in\mathbb{R}^{2d\times 2d}", "sizes"),
    (r"\bx_t\in\mathbb{R}^{d}", r"\bx_t\in\mathbb{R}^{2d}", "sizes"),
    (r"operators on $\mathbb{R}^{2d\times 2d}$", r"operators on $\mathbb{R}^{d\times d}$", "sizes"),
    (r"\mathbf{a}\mathbf{a}^\top\bx_{t-1}", r"\mathbf{a}\mathbf{a}\bx_{t-1}", "sizes"),
    (r"-\eta\mathbf{S}\bx_{t-1}", r"-\eta\mathbf{P}\bx_{t-1}", "sizes"),
    (r"\mathbf{S}\preceq L\mathbf{I}", r"\mathbf{S}\leq L\mathbf{I}", "sizes"),
    (r"+\eta\mu\bx_{t-1}.", r"+\eta\mathbf{S}.", "sizes"),
    (r"+\frac{8\eta\sigma^2}{\mu}.", r"+\frac{8\eta\sigma^2}{\mathbf{S}}.", "sizes"),
    (r"(i-j)\right)", r"(i-j)\right)\delta", "names"),
    (r"\sum_{i=1}^{2}\sum_{j=1}^{2}(i-j)", r"\sum_{i=1}^{2}\sum_{i=1}^{2}(i-1)", "names"),
    (r"$\{\mathbf{V}_t\}_{t\geq 1}$", r"$\{\mathbf{W}_t\}_{t\geq 1}$", "names"),
    (r"\mathbf{w}_{t}+\mathbf{w}_{t-1}=", r"\mathbf{w}_{t}+\mathbf{w}_{k}=", "names"),
    (r"for $t>T/2$, we have", r"for $t>T/2$, we have for $k>T/2$,", "names"),
    (r"($t>T/2$) the same", r"($k>T/2$) the same", "names"),
    (r"\item If $\eta\geq 2\mu$", r"\item If $\eta>2\mu$", "cases"),
    (r"\item If $\eta\geq 2\mu$", r"\item If $\eta\geq 3\mu$", "cases"),
    (r"where $\stackrel{a}{\leq}$", r"where $\stackrel{b}{\leq}$", "citations"),
    (r"uses Assumption~\ref{ass:order}.", r"uses Assumption~\ref{ass:moment}.", "citations"),
    (r"uses Assumption~\ref{ass:order}.", r"uses Assumption~\ref{ass:orders}.", "citations"),
    (r"Assumptions~\ref{ass:moment} and \ref{ass:order} hold", r"Assumption~\ref{ass:moment} holds", "citations"),
    (r"\label{lem:sum}", r"\label{lem:descent}", "citations"),
    (r"By Lemma~\ref{lem:descent}, we have", r"By Lemma~\ref{lem:sum}, we have", "citations"),
    (r"{\leq}(1-\theta)\|\bx_{t-1}\|^2+\frac{320", r"{\leq}(1-\theta)\|\bx_{t-1}\|^2+\frac{32", TWICE),
    (r"320\sigma^2}{\mu T}+\frac{8\eta\sigma^2}{\mu}.", r"320L\sigma^2}{\mu T}+\frac{8\eta\sigma^2}{\mu}.", TWICE),
    (r"(1-\theta)\|\bx_{t-1}\|^2+\eta\mathbb{E}", r"(1-\theta)\|\bx_{t}\|^2+\eta\mathbb{E}", "means"),
    (r"\eta\mathbb{E}_{t-1}\|\mathbf{w}_t\|^2", r"\eta\mathbb{E}\|\mathbf{w}_t\|^2", "means"),
    (r"\leq\mathbb{E}\|\bx_{t-1}\|^2", r"\leq\|\bx_{t-1}\|^2", "means"),
    (r"$1/(\mu T)$", r"$1/\mu T$", "brackets"),
    (r"$|\theta|\leq 1$", r"$\|\theta\|\leq 1$", "sizes"),
    (r"see \eqref{eq:mean}", r"see \ref{eq:mean}", "citations"),
    (r"The recursion is", DEFINED_BEFORE, "names"),
    (r"\theta=\eta\mu/(1+\eta\mu)$, where", r"\theta=(\eta\mu/(1+\eta\mu)$, where", "brackets"),
    (r"\begin{proof}", "\\begin{proof}\n\\begin{equation*}\n\\end{equation*}", "brackets"),
]  # fmt: skip


def made(folder: Path, text: str = PAPER) -> Project:
    """The project of this paper, with its sizes."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "paper.tex").write_text(text, encoding="utf-8")
    create(folder / "paper.tex", folder / "project")
    (folder / "project" / "symbols.toml").write_text(SYMBOLS, encoding="utf-8")
    return project(folder / "project")


def with_slip(old: str, new: str) -> str:
    assert old in PAPER, f"{old} is not printed"
    return PAPER.replace(old, new, 1)
