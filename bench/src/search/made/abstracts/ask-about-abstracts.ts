import type { Question } from '../../collection.ts'
import { createRandom } from '../../synthetic-corpus.ts'
import { pick, type Random, shuffle } from '../choice.ts'
import { judge } from '../judge.ts'
import { type Concept, fill, misspell } from '../wording.ts'
import type { Abstract, Finding } from './generate-abstracts.ts'
import * as sentences from './sentences.ts'

const questionsOfStyle = 60

/** Writes the text of a question about a study. */
type Ask = (random: Random, study: Abstract) => string

/** The questions by style. Each expression is drawn without regard to those in the documents. */
const styles: Readonly<Record<string, Ask>> = {
  claim: (random, study) => fill(pick(random, sentences.claims), words(random, study)),
  question: (random, study) => fill(pick(random, sentences.queries), words(random, study)),
  keywords: (random, study) => keywords(random, study).join(' ').toLowerCase(),
  'joined words': (random, study) => keywords(random, study, rareSpelling).join(' '),
  misspelled: (random, study) => misspell(random, keywords(random, study).join(' ')),
  details: (random, study) =>
    fill('{agent} {dose} mg {population} {weeks} weeks {condition}', words(random, study)).toLowerCase(),
}

/** Asks about findings. Studies of the finding are relevant, of other outcomes of agent and condition less so. */
export function askAboutAbstracts(seed: number, abstracts: readonly Abstract[]): Question[] {
  const random = createRandom(seed + 1_000)
  const drawn = shuffle(random, abstracts)
  return Object.entries(styles).flatMap(([style, ask], nth) =>
    drawn.slice(nth * questionsOfStyle, (nth + 1) * questionsOfStyle).map((study) => ({
      id: `q-${style}-${study.id}`,
      style,
      text: ask(random, study),
      relevant: judge(abstracts, (other) => (style === 'details' ? gradeDetails : gradeFinding)(study, other)),
    })),
  )
}

const isSamePair = (a: Finding, b: Finding): boolean => a.agent === b.agent && a.condition === b.condition

const gradeFinding = (asked: Abstract, { finding }: Abstract): number =>
  isSamePair(asked.finding, finding) ? (asked.finding.outcome === finding.outcome ? 2 : 1) : 0

const gradeDetails = (asked: Abstract, { id, finding, population }: Abstract): number =>
  id === asked.id ? 3 : isSamePair(asked.finding, finding) ? (population === asked.population ? 2 : 1) : 0

function words(random: Random, { finding, population, dose, weeks }: Abstract): Record<string, string> {
  const verbs = sentences.directions[finding.direction]
  return {
    agent: pick(random, finding.agent),
    condition: pick(random, finding.condition),
    outcome: pick(random, finding.outcome),
    population: pick(random, population),
    acts: pick(random, verbs.acts),
    change: pick(random, verbs.change),
    asked: pick(random, verbs.asked),
    dose: String(dose),
    weeks: String(weeks),
  }
}

const keywords = (random: Random, { finding }: Abstract, spell: typeof rareSpelling = pick): string[] =>
  shuffle(random, [finding.agent, finding.condition, finding.outcome]).map((concept) => spell(random, concept))

/** Prefers the spellings that are rare in abstracts, and writes hyphenated words as one, such as `IL2`. */
const rareSpelling = (random: Random, concept: Concept): string =>
  pick(random, concept.length > 2 ? concept.slice(2) : concept).replaceAll('-', '')
