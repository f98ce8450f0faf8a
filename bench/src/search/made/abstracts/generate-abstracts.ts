import { createRandom } from '../../synthetic-corpus.ts'
import { chance, integer, pick, type Random, sample, shuffle } from '../choice.ts'
import { type Concept, capitalize, createAuthor, fill } from '../wording.ts'
import * as sentences from './sentences.ts'
import { agents, conditions, outcomes, pathways, populations } from './vocabulary.ts'

/** The result of studies. */
export interface Finding {
  agent: Concept
  condition: Concept
  outcome: Concept
  direction: 'up' | 'down'
}

export interface Abstract {
  id: string
  title: string
  text: string
  finding: Finding
  population: Concept
  dose: number
  weeks: number
}

const [findingCount, maxStudies] = [1_600, 4]

/** Generates scientific abstracts: one to four studies of each finding, in different words and populations. */
export function generateAbstracts(seed: number): Abstract[] {
  const random = createRandom(seed)
  const findings = Array.from({ length: findingCount }, () => drawFinding(random))
  const studied = findings.flatMap((finding) => Array.from({ length: integer(random, 1, maxStudies) }, () => finding))
  return shuffle(random, studied).map((finding, nth) =>
    writeAbstract(random, `a${nth}`, finding, pick(random, findings)),
  )
}

const drawFinding = (random: Random): Finding => ({
  agent: pick(random, agents),
  condition: pick(random, conditions),
  outcome: pick(random, outcomes),
  direction: pick(random, ['up', 'down']),
})

/** @param cited another finding, which is mentioned but not studied */
function writeAbstract(random: Random, id: string, finding: Finding, cited: Finding): Abstract {
  const population = pick(random, populations)
  const [dose, weeks] = [pick(random, [5, 10, 20, 50, 75, 100, 150, 250, 500]), integer(random, 2, 52)]
  const author = createAuthor(random)
  const words = (studied: Finding): Record<string, string> => {
    const verbs = sentences.directions[studied.direction]
    const [other = [], another = []] = sample(random, agents, 2)
    const change = pick(random, verbs.change)
    return {
      agent: author(studied.agent),
      condition: author(studied.condition),
      outcome: author(studied.outcome),
      acts: pick(random, verbs.acts),
      acted: pick(random, verbs.acted),
      change,
      changed: change,
      population: author(population),
      other: author(other),
      another: author(another),
      otherOutcome: author(pick(random, outcomes)),
      otherCondition: author(pick(random, conditions)),
      pathway: pick(random, pathways),
      design: pick(random, sentences.designs),
      ...drawNumbers(random, dose, weeks),
    }
  }
  const write = (templates: readonly string[], count: number) =>
    sample(random, templates, count).map((template) => capitalize(fill(template, words(finding))))
  const title = capitalize(fill(pick(random, pickTitles(random)), words(finding)))
  const introduced = introduceAgent(random, finding.agent)
  const text = [
    ...write(sentences.backgrounds, integer(random, 1, 3)),
    ...(introduced === undefined ? [] : [introduced]),
    ...(chance(random, 0.4) ? [fill(pick(random, sentences.citedFindings), words(cited))] : []),
    ...write(sentences.methods, integer(random, 2, 4)),
    ...write(sentences.results, integer(random, 1, 2)),
    ...write(sentences.furtherResults, integer(random, 1, 3)),
    ...write(sentences.conclusions, integer(random, 1, 2)),
  ]
  return { id, title, text: text.map(capitalize).join(' '), finding, population, dose, weeks }
}

/** Half of the titles name agent and condition; the others leave one or both to the text. */
function pickTitles(random: Random): readonly string[] {
  const { full, agentOnly, conditionOnly, vague } = sentences.titles
  return pick(random, [full, full, full, agentOnly, conditionOnly, vague])
}

/** Half of the abstracts introduce the abbreviation of their agent. */
const introduceAgent = (random: Random, [name = '', abbreviation = '']: Concept): string | undefined =>
  name !== abbreviation && chance(random, 0.5)
    ? `${name} (${abbreviation}) was chosen because of its known expression.`
    : undefined

const drawNumbers = (random: Random, dose: number, weeks: number) => ({
  dose: String(dose),
  unit: pick(random, ['mg', 'mg/kg', 'ng/ml', 'micrograms']),
  weeks: String(weeks),
  count: String(integer(random, 12, 4_000)),
  percent: String(integer(random, 5, 80)),
  low: String(integer(random, 11, 49)),
  high: String(integer(random, 50, 99)),
  digit: String(integer(random, 1, 9)),
})
