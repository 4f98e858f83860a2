const Equation = ({ children }) => <span class="equation">{children}</span>;
const Paper = ({ children }) => <cite>(Gelly &amp; Silver 2011 {children})</cite>;

/** One sentence for each heat map and chart, with its equation and its paper. */
export const EXPLANATIONS = {
  none: (
    <>
      The moves searched most: their win rate <Equation>Q = W ∕ N</Equation> above the number of their simulations; the
      ringed one would be played. <Paper>§3</Paper>
    </>
  ),
  visits: (
    <>
      <Equation>N(s, a)</Equation>, how many simulations began with this move: the search returns to what has won, and so
      the most visited move is the choice. <Paper>§3</Paper>
    </>
  ),
  q: (
    <>
      The mean result of the simulations that began with this move, <Equation>Q = W ∕ N</Equation>. <Paper>§3</Paper>
    </>
  ),
  amaf: (
    <>
      <Equation>Q̃ = W̃ ∕ Ñ</Equation>, the mean result of all simulations in which the move was played at any later time
      (“all moves as first”): many samples at once, but biased. <Paper>§4.3</Paper>
    </>
  ),
  beta: (
    <>
      How far RAVE is trusted, <Equation>β = ñ ∕ (n + ñ + 4 n ñ b̃²)</Equation>: near 1 while the move has few simulations
      n of its own against ñ of AMAF, near 0 later. <Paper>§4.6</Paper>
    </>
  ),
  mixed: (
    <>
      What the tree goes by: <Equation>Q⋆ = (1 − β) Q + β Q̃</Equation>, from the quick guess to the sure value.{" "}
      <Paper>§4.4</Paper>
    </>
  ),
  prior: (
    <>
      The heuristic’s opinion <Equation>H(s, a)</Equation> before any simulation, worth <Equation>M</Equation> simulations
      of equivalent experience: <Equation>Q ← H, N ← M</Equation>. <Paper>§5</Paper>
    </>
  ),
  ownership: (
    <>
      Who holds each point at the end of the simulated games, on average:{" "}
      <Equation>mean of z ∈ {"{−1, +1}"}</Equation>; Black’s blue, White’s orange. <Paper>§3</Paper>
    </>
  ),
  convergence: (
    <>
      Win rates <Equation>Q(s, a)</Equation> and shares <Equation>N(s, a) ∕ N(s)</Equation> of the leading moves as the
      simulations grow: the estimates settle and the best move takes the most. <Paper>§3</Paper>
    </>
  ),
  tree: (
    <>
      The tree that the simulations have built, move below move, with N, Q, Q̃ and β of each: read it down to see which
      answers the win rate stands on. <Paper>§3–4</Paper>
    </>
  ),
  winrates: (
    <>
      Black’s win rate <Equation>V(s) = W(s) ∕ N(s)</Equation>, searched at each turn. <Paper>§3</Paper>
    </>
  ),
};
