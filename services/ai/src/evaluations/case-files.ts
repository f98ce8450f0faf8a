import {
  type EvaluationCaseFormat,
  type EvaluationExpectation,
  type FieldError,
  ImportedCase,
  invalidField,
  validateInput,
  validationProblem,
} from '@wp/contracts'
import { csvRow, restoreFormulas } from '@wp/tabular'
import { CsvError, parse } from 'csv-parse/sync'
import type { EvaluationCaseRow } from '../store/evaluations/cases.ts'
import { patternError } from './check-answer.ts'

const maxErrors = 20
const separator = '|'

interface FileCase {
  line: number
  value: unknown
}

/**
 * Reads the cases of a file.
 * @throws Problem `validation_failed` whose errors name line and field
 */
export function parseCases(format: EvaluationCaseFormat, content: string): ImportedCase[] {
  const rows = format === 'csv' ? readCsv(content) : readJsonLines(content)
  if (rows.length === 0) throw validationProblem([{ pointer: '/content', detail: 'has no case' }])
  const errors: FieldError[] = []
  const cases = rows.flatMap(({ line, value }) => {
    const parsed = validateInput(ImportedCase, value)
    if (!parsed.success) {
      errors.push(...parsed.errors.map(({ pointer, detail }) => lineError(line, pointer, detail)))
      return []
    }
    const pattern = patternOf(parsed.data.expected)
    if (pattern !== undefined) errors.push(lineError(line, '/expected/matches', pattern))
    return [parsed.data]
  })
  if (errors.length > 0) throw validationProblem(errors.slice(0, maxErrors))
  return cases
}

/** Returns why the pattern of an expectation is not valid. */
export const patternOf = ({ matches }: EvaluationExpectation): string | undefined =>
  matches === undefined ? undefined : patternError(matches)

export const lineError = (line: number, pointer: string, detail: string): FieldError => ({
  pointer: '/content',
  detail: `line ${line}: ${pointer === '' ? '' : `${pointer.slice(1)} `}${detail}`,
})

function readJsonLines(content: string): FileCase[] {
  const lines = content.split(/\r?\n/).map((text, index) => ({ text: text.replace(/^\uFEFF/, ''), line: index + 1 }))
  return lines
    .filter(({ text }) => text.trim() !== '')
    .map(({ text, line }) => {
      try {
        return { line, value: JSON.parse(text) }
      } catch {
        throw validationProblem([lineError(line, '', 'is not JSON')])
      }
    })
}

const columns = ['name', 'input', 'answer', 'contains', 'not_contains', 'matches', 'fields', 'grader'] as const
type CsvRow = Partial<Record<(typeof columns)[number], string>>

function readCsv(content: string): FileCase[] {
  try {
    const rows: { record: CsvRow; info: { lines: number } }[] = parse(content, {
      bom: true,
      cast: restoreFormulas,
      columns: (header: string[]) => checkHeader(header),
      delimiter: [',', ';', '\t'],
      info: true,
      skipEmptyLines: true,
    })
    return rows.map(({ record, info }) => ({ line: info.lines, value: caseOfRow(record, info.lines) }))
  } catch (error) {
    if (error instanceof CsvError) throw validationProblem([lineError(lineOf(error), '', error.message)])
    throw error
  }
}

const lineOf = (error: CsvError): number => (typeof error.lines === 'number' ? error.lines : 1)

function checkHeader(header: readonly string[]): string[] {
  const names = header.map((name) => name.trim().toLowerCase())
  const unknown = names.find((name) => !columns.some((column) => column === name))
  if (unknown !== undefined)
    throw validationProblem([lineError(1, '', `has the unknown column “${unknown}”; known: ${columns.join(', ')}`)])
  if (!names.includes('input')) throw validationProblem([lineError(1, '', 'lacks the column “input”')])
  return names
}

function caseOfRow({ name, input = '', grader, ...row }: CsvRow, line: number): unknown {
  const list = (text = '') => {
    const parts = text.split(separator).map((part) => part.trim())
    return parts.filter((part) => part !== '')
  }
  const given = {
    answer: row.answer || undefined,
    contains: list(row.contains),
    not_contains: list(row.not_contains),
    matches: row.matches || undefined,
    fields: row.fields ? parseColumn(row.fields, 'fields', line) : undefined,
    grader: grader ? { instructions: grader } : undefined,
  }
  const isGiven = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0)
  return {
    name: name || null,
    input: isJson(input) ? parseColumn(input, 'input', line) : input,
    expected: Object.fromEntries(Object.entries(given).filter(([, value]) => isGiven(value))),
  }
}

function parseColumn(text: string, column: string, line: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw validationProblem([lineError(line, `/${column}`, 'is not JSON')])
  }
}

const isJson = (input: string): boolean => input.trimStart().startsWith('{')
const isDivided = (fact: string): boolean => fact.includes(separator) || fact !== fact.trim()
const notInCsv = (input: string, reason: string) =>
  invalidField('?format', `csv cannot hold the case “${input.slice(0, 100)}”: ${reason}; export jsonl`)

type FileRow = Pick<EvaluationCaseRow, 'name' | 'input' | 'expected'>

/**
 * Writes cases as a file that `parseCases` reads.
 * @throws Problem `validation_failed` if CSV cannot hold a case: it would be read as another one
 */
export function formatCases(format: EvaluationCaseFormat, cases: readonly FileRow[]): string {
  if (format === 'jsonl')
    return cases.map(({ name, input, expected }) => `${JSON.stringify({ name, input, expected })}\n`).join('')
  for (const { input, expected } of cases) {
    const isText = typeof input === 'string'
    if (isText && isJson(input)) throw notInCsv(input, 'the input would be read as JSON')
    const fact = [expected.contains, expected.not_contains].flatMap((facts = []) => facts).find(isDivided)
    if (fact !== undefined)
      throw notInCsv(isText ? input : JSON.stringify(input), `“${fact}” would be divided or trimmed`)
  }
  const rows = cases.map(({ name, input, expected }) => [
    ...[name ?? '', typeof input === 'string' ? input : JSON.stringify(input), expected.answer ?? ''],
    ...[expected.contains, expected.not_contains].map((facts = []) => facts.join(separator)),
    ...[expected.matches ?? '', expected.fields === undefined ? '' : JSON.stringify(expected.fields)],
    expected.grader?.instructions ?? '',
  ])
  return [columns, ...rows].map((row) => csvRow(row)).join('')
}
