import type { SourceFormat } from '@wp/contracts'
import {
  ambiguityOf,
  type ColumnDecision,
  type ColumnEvidence,
  type ColumnHints,
  type ColumnType,
  decideColumns,
  formatOf,
  type NumberFormat,
  wordsOf,
} from '@wp/tabular'
import { declaredFieldsOf, type FieldDeclarations } from '../../schema/declared-fields.ts'

/** Name, type and format of one column. */
export interface ColumnPlan {
  name: string
  type: ColumnType
  /** Marks of numbers. */
  marks: NumberFormat
  /** Unit of numbers. */
  unit: string | undefined
  /** Formats of times, tried in turn. Empty: its texts are no times. */
  timestampFormats: string[]
  /** Format of the times of day of a column of text. */
  timeOfDay: string | undefined
  confidence: number
  isDeclared: boolean
  /** True if the type, marks or format were pinned. */
  isPinned: boolean
  decision: ColumnDecision
  evidence: ColumnEvidence
}

/** Returns the offset from UTC that the name of a column states of its times: `Time (UTC)`, `Start GMT+1`. */
export function offsetOfName(name: string): string | undefined {
  if (!/[([]z[)\]]\s*$/i.test(name) && !wordsOf(name).some((word) => word === 'utc' || word === 'gmt')) return undefined
  const [, sign, hours = '', minutes = '00'] = /(?:utc|gmt) ?([+−-]) ?(\d{1,2})(?::?(\d\d))?/i.exec(name) ?? []
  return sign === undefined ? 'Z' : `${sign === '+' ? '+' : '-'}${hours.padStart(2, '0')}:${minutes}`
}

export interface PlanOptions {
  format: SourceFormat
  declarations: FieldDeclarations
  isJson: boolean
  /** The field with the key of a row. */
  keyField: string | undefined
}

/** Plans the reading of all columns. `ambiguities` are the columns that the values do not decide. */
export function planColumns(columns: ReadonlyMap<string, ColumnEvidence>, options: PlanOptions) {
  const declared = declaredFieldsOf(options.declarations)
  const named = [...columns].map(([name, evidence]) => {
    const hints = hintsFor(name, options, declared.get(name)?.type)
    return { name, evidence, hints }
  })
  const decisions = decideColumns(named)
  const plans = named.flatMap(({ name, evidence, hints }, index): ColumnPlan[] => {
    const decision = decisions[index]
    return decision === undefined ? [] : [toPlan(name, evidence, hints, decision, options.format)]
  })
  const ambiguities = plans.flatMap(({ name, evidence, decision }) => {
    const hints: ColumnHints = {}
    return decision === undefined ? [] : (ambiguityOf({ name, evidence, hints }, decision) ?? [])
  })
  return { plans, ambiguities }
}

function hintsFor(
  name: string,
  { format, isJson, keyField }: PlanOptions,
  declaredType: ColumnType | undefined,
): ColumnHints {
  const column = ownValue(format.columns, name)
  const marks = { decimal: column?.decimal ?? format.decimal, thousands: column?.thousands ?? format.thousands }
  const formats = format.timestamp_formats
  return {
    type: declaredType ?? column?.type,
    isDeclared: declaredType !== undefined,
    marks: marks.decimal === undefined && marks.thousands === undefined ? undefined : marks,
    unit: column?.unit,
    timestampFormat: Array.isArray(formats) || formats === undefined ? undefined : ownValue(formats, name),
    keepsPlainNumbers: isJson,
    isKey: name === keyField,
  }
}

function ownValue<Value>(record: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined
}

/** Returns the formats of times; of those that are the same in each of two, one of them, which is not pinned. */
function detectedFormats(decision: ColumnDecision): string[] {
  if (decision.outcome === 'timestamp') return decision.format === undefined ? [] : [decision.format]
  if (decision.outcome !== 'ambiguousOrder' || decision.decision.style.differs) return []
  return decision.decision.orders.slice(0, 1).map((order) => formatOf(decision.decision.style, order))
}

function toPlan(
  name: string,
  evidence: ColumnEvidence,
  hints: ColumnHints,
  decision: ColumnDecision,
  { timestamp_formats: formats }: SourceFormat,
): ColumnPlan {
  const listed = Array.isArray(formats) ? formats : []
  const isTime = decision.outcome === 'timestamp' || decision.outcome === 'ambiguousOrder'
  const detected = detectedFormats(decision)
  const usesList = isTime && listed.length > 0
  return {
    name,
    evidence,
    type: isTime ? 'timestamp' : decision.outcome === 'ambiguousNumber' ? 'number' : decision.outcome,
    marks: decision.outcome === 'number' ? decision.format : {},
    unit: decision.outcome === 'number' ? decision.unit : undefined,
    timestampFormats: usesList ? listed : detected,
    timeOfDay: decision.outcome === 'string' ? decision.timeOfDay : undefined,
    confidence: 'confidence' in decision ? decision.confidence : 1,
    isDeclared: hints.isDeclared ?? false,
    isPinned: hints.type !== undefined || hints.marks !== undefined || hints.timestampFormat !== undefined,
    decision: usesList ? { outcome: 'timestamp', format: listed[0], confidence: 1 } : decision,
  }
}
