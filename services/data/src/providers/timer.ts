/** Calls `onElapsed` after a time, unless the returned function is called before. */
export type StartTimer = (ms: number, onElapsed: () => void) => () => void

export const startTimer: StartTimer = (ms, onElapsed) => {
  const timer = setTimeout(onElapsed, ms)
  return () => clearTimeout(timer)
}
