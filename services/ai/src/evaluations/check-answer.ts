import { isDeepStrictEqual } from 'node:util'
import type { EvaluationCheck, EvaluationExpectation } from '@wp/contracts'
import { RE2JS } from 're2js'

/** Characters of a text that a reason quotes. */
const maxQuoted = 200

/** Returns the results of all checks that need no model. Pure, and in time linear in the length of the answer. */
export function checkAnswer(expected: EvaluationExpectation, answer: string): EvaluationCheck[] {
  const { contains = [], not_contains: excluded = [], matches, fields = [], grader } = expected
  const said = normalize(answer)
  return [
    ...(expected.answer === undefined || grader !== undefined ? [] : [compareAnswer(expected.answer, answer)]),
    ...contains.map((fact) => resultOf('contains', states(said, normalize(fact)), `The answer lacks “${quote(fact)}”`)),
    ...excluded.map((fact) =>
      resultOf('not_contains', !states(said, normalize(fact)), `The answer contains “${quote(fact)}”`),
    ),
    ...(matches === undefined
      ? []
      : [resultOf('matches', compile(matches).matcher(answer).find(), `The answer does not match ${quote(matches)}`)]),
    ...(fields.length === 0 ? [] : compareFields(fields, answer)),
  ]
}

/** Returns why a pattern is not valid; undefined if it is. */
export function patternError(pattern: string): string | undefined {
  try {
    compile(pattern)
    return undefined
  } catch (error) {
    return `is not a regular expression of RE2: ${error instanceof Error ? error.message : 'it cannot be read'}`
  }
}

const compile = (pattern: string) => RE2JS.compile(pattern)

type Check = EvaluationCheck['check']

const resultOf = (check: Check, passed: boolean, reason: string): EvaluationCheck => ({
  check,
  passed,
  reason: passed ? '' : reason,
})

const compareAnswer = (expected: string, answer: string): EvaluationCheck =>
  resultOf(
    'answer',
    withoutStop(normalize(expected)) === withoutStop(normalize(answer)),
    `Expected “${quote(expected)}”, got “${quote(answer)}”`,
  )

/** Returns a text without the differences that no reader would mind: case, space, and markers of citations. */
const normalize = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/\[\d{1,4}\]/g, '')
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Returns true if a text states a fact. A number is not stated by a longer one: 44 neither by 144 nor by 44.5. */
function states(text: string, fact: string): boolean {
  for (let at = text.indexOf(fact); at >= 0; at = text.indexOf(fact, at + 1))
    if (!isPartOfNumber(text, fact, at)) return true
  return false
}

function isPartOfNumber(text: string, fact: string, at: number): boolean {
  const [before, after] = [text.slice(Math.max(at - 2, 0), at), text.slice(at + fact.length, at + fact.length + 2)]
  return (/^\d/.test(fact) && /\d[.,]?$/.test(before)) || (/\d$/.test(fact) && /^[.,]?\d/.test(after))
}

const withoutStop = (text: string): string => text.replace(/ ?\.$/, '')

function compareFields(fields: NonNullable<EvaluationExpectation['fields']>, answer: string): EvaluationCheck[] {
  const parsed = parseJson(answer)
  if (parsed === undefined) return [resultOf('fields', false, 'The answer is not JSON')]
  return fields.map(({ pointer, equals }) => {
    const value = valueAt(parsed.value, pointer)
    const expected = `Expected ${quote(JSON.stringify(equals))} at ${pointer || 'the root'}`
    return resultOf(
      'fields',
      isDeepStrictEqual(value, equals),
      `${expected}, got ${quote(JSON.stringify(value) ?? 'nothing')}`,
    )
  })
}

/** Reads JSON, also in the fences of Markdown in which models wrap it. */
export function parseJson(text: string): { value: unknown } | undefined {
  const fenced = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1]
  try {
    return { value: JSON.parse(fenced ?? text) }
  } catch {
    return undefined
  }
}

/** Returns the value at a JSON pointer (RFC 6901); undefined if there is none. */
function valueAt(value: unknown, pointer: string): unknown {
  let current = value
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return undefined
    current = Reflect.get(current, name)
  }
  return current
}

const quote = (text: string): string => (text.length > maxQuoted ? `${text.slice(0, maxQuoted).toWellFormed()}…` : text)
