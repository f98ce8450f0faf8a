/** The texts by which a command is found. */
interface Searchable {
  label: string
  group: string
  /** Other words a person may search for. */
  keywords?: string
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

/** Lower is better. */
const scores = { start: 0, word: 1, part: 2, typo: 4, keyword: 3 }
const noMatch = Number.POSITIVE_INFINITY

/**
 * Returns the commands that match every word of a text, the best first: words of the label before keywords, beginnings
 * before parts, and those with a typing error last. Without a text all commands match, in their order.
 */
export function matchCommands<Command extends Searchable>(commands: readonly Command[], text: string): Command[] {
  const words = wordsOf(text)
  if (words.length === 0) return [...commands]
  return commands
    .map((command) => ({ command, score: scoreOf(command, words) }))
    .filter(({ score }) => score < noMatch)
    .sort((left, right) => left.score - right.score)
    .map(({ command }) => command)
}

function scoreOf({ label, group, keywords = '' }: Searchable, words: readonly string[]): number {
  const ofLabel = wordsOf(label)
  const others = wordsOf(`${keywords} ${group}`)
  return words.reduce((sum, word, index) => {
    const first = index === 0 && ofLabel[0]?.startsWith(word) === true ? scores.start : scores.word
    return sum + Math.min(bestScore(word, ofLabel, first), bestScore(word, others, first) + scores.keyword)
  }, 0)
}

function bestScore(word: string, candidates: readonly string[], start: number): number {
  const found = candidates.map((candidate) => {
    if (candidate.startsWith(word)) return start
    if (word.length > 2 && candidate.includes(word)) return scores.part
    return isTypo(word, candidate) ? scores.typo : noMatch
  })
  return Math.min(noMatch, ...found)
}

/** Typing errors that a word of a length may have: short words would match anything. */
const maxErrors = (length: number): number => (length < 4 ? 0 : length < 8 ? 1 : 2)

/** Returns true if a word is the beginning of another one, but for a few typing errors. */
function isTypo(word: string, candidate: string): boolean {
  const allowed = maxErrors(word.length)
  return (
    allowed > 0 &&
    word[0] === candidate[0] &&
    prefixDistance(word, candidate.slice(0, word.length + allowed)) <= allowed
  )
}

/**
 * Returns the smallest number of inserted, missing, wrong and swapped characters between a word and any beginning of
 * another one (optimal string alignment).
 */
function prefixDistance(word: string, candidate: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: candidate.length + 1 }, (_, at) => at)]
  for (let row = 1; row <= word.length; row += 1) {
    const next = [row]
    for (let column = 1; column <= candidate.length; column += 1) {
      const isSame = word[row - 1] === candidate[column - 1]
      const isSwapped = row > 1 && word[row - 1] === candidate[column - 2] && word[row - 2] === candidate[column - 1]
      next[column] = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : noMatch,
      )
    }
    ;[beforeLast, last] = [last, next]
  }
  return Math.min(...last)
}
