import { stemOf } from '../../language/words.ts'
import { endColumn, startColumn } from '../column-roles.ts'
import { coreOf } from '../core-name.ts'
import type { Draft } from '../draft.ts'
import { participle } from '../grammar.ts'
import { Refusal } from '../query.ts'
import type { Recurrence } from './recurrences.ts'

/** Takes times, and binds them to the column of times that the question names, or that is the only one. */
export function takeTimes(draft: Draft): string | undefined {
  let named: string | undefined
  for (const tag of draft.left('TR')) {
    const before = draft.text.slice(0, draft.text.indexOf(` ${tag} `) + 1)
    const [column = draft.left('D')[0]] = [...before.matchAll(/(?<= )D\d+(?= )/g)].map(([name]) => name).slice(-1)
    const field = column === undefined ? (named ?? unnamedTime(draft)) : draft.field(column)
    // `Booked in August` may be the day of a booking, or the day on which it was made.
    const start = startColumn(draft.fieldsOfType('timestamp'))
    if (column !== undefined && start !== undefined && start !== field && draft.isUsage(column))
      throw draft.ambiguous(draft.tag(column).text, [start, field])
    if (column !== undefined) draft.take(column)
    // `Next inspection` is when one is due.
    if (/next|due|plan|n(?:ä|a|ae)chste|f(?:ä|a|ae)llig/i.test(field))
      draft.take('due|scheduled|planned|fallig|geplant')
    const position = draft.take(tag)?.index ?? 0
    named = field
    if (tag.startsWith('R')) {
      addRecurrence(draft, field, draft.recurrences[Number(tag.slice(1))] ?? {})
      continue
    }
    const range = draft.ranges[Number(tag.slice(1))] ?? {}
    if (range.isYearless === true || range.relative !== undefined) {
      draft.unresolved.push({ field, range })
    } else {
      const { from, until } = range
      draft.addFilter(
        field,
        { ...(from === undefined ? {} : { gte: from }), ...(until === undefined ? {} : { lt: until }) },
        position,
      )
    }
  }
  return named
}

/** Takes `still here`: the end is not known, unless some ends are still to come; see `resolveTimes`. */
export function takeStillThere(draft: Draft, today: string): void {
  const field = endColumn(draft.source)
  const place =
    'here|there|inside|on site|in the (?:building|house)|parked|employed|da|hier|im (?:haus|gebaude)|beschaftigt|angestellt'
  if (field === undefined || draft.take(`(?:still|noch|currently|derzeit|aktuell) (?:${place})`) === undefined) return
  draft.isStillThere = true
  draft.unresolved.push({ field, range: { from: today, isOpenEnded: true } })
}

/** Adds days of the week or hours. @throws Refusal if there are two of a kind, or two columns of times */
export function addRecurrence(draft: Draft, field: string, recurrence: Recurrence): void {
  const earlier = draft.recurring
  const isTwice = Object.keys(recurrence).some((key) => earlier !== undefined && Object.hasOwn(earlier, key))
  if (isTwice || (earlier !== undefined && earlier.field !== field) || draft.find('BE') !== undefined)
    throw new Refusal(draft.say.twoConditions(field))
  const { isEither: _compared, isExcept, ...times } = recurrence
  if (isExcept === true) draft.isExcept = true
  draft.recurring = { ...earlier, field, ...times }
}

/** Returns the only column of times, unless a state has a time of its own: `closed in May`, `were open last week`. */
function unnamedTime(draft: Draft): string {
  const times = draft.fieldsOfType('timestamp')
  const [field, other] = times
  if (field === undefined) throw new Refusal(draft.say.noTime(draft.source.name), 1)
  const start = startColumn(times)
  const ended = draft.left('V').flatMap((name) => timesOfState(draft, draft.tag(name).text))
  if (other !== undefined && ended[0] !== undefined && ended.length === 1) return ended[0]
  if (other !== undefined && start === undefined) throw draft.ambiguous(draft.say.time, times)
  // `Paid in March`, where a column says if something is paid, but not when.
  const flag = times.length > 1 ? draft.find('(B\\d+)(?= [TR]\\d)')?.[1] : undefined
  // `Cancelled bookings in May` are bookings of May.
  const isAttribute = (name: string) => draft.find(`${name} (?:V\\d+ )*S\\d+`) !== undefined
  const state = [...draft.left('V'), ...(flag === undefined ? [] : [flag])].find(
    (name) => participle.test(draft.tag(name).text) && !isAttribute(name),
  )
  const after = draft.find(
    `(?:is|are|was|were|ist|sind|war|waren|wurden?|been|be|got)(?: (?:still|already|not|noch|schon|nicht))* (V\\d+)`,
  )?.[1]
  // `Tickets open in May` were open then, whenever they were opened.
  const lasting = draft.find('(?<=S\\d+ )(V\\d+)(?= [TR]\\d)')?.[1]
  const isOfStatus =
    lasting !== undefined && draft.tag(lasting).options.some(({ field }) => /stat(?:e|us)|zustand/i.test(field))
  if (isOfStatus) throw new Refusal(draft.say.noTimeOf(draft.tag(lasting).text, times.join(', ')))
  const stated = state ?? (draft.find('FULL') === undefined ? after : undefined)
  if (stated !== undefined) throw new Refusal(draft.say.noTimeOf(draft.tag(stated).text, times.join(', ')))
  return start ?? field
}

/** Returns the columns of times that say when something got into a state: `closed_on`. */
const timesOfState = (draft: Draft, state: string): string[] =>
  draft
    .fieldsOfType('timestamp')
    .filter(
      (field) => participle.test(state) && coreOf(field).core.some(({ plain }) => stemOf(plain) === stemOf(state)),
    )

/** Takes `overdue`, if the source has a date by which something is due. */
export function takeOverdue(draft: Draft, today: string): void {
  const found = draft.take('(?:not )?(?:overdue|past due|uberfallig\\w*)')
  if (found === undefined) return
  const times = draft.fieldsOfType('timestamp')
  const due = times.filter((name) => /due|deadline|fallig|frist/i.test(name))
  const ends = times.filter((name) =>
    /return|clos|complet|resolv|paid|deliver|done|finish|zuruck|erledigt|bezahlt/i.test(name),
  )
  const [field] = due
  if (field === undefined) throw new Refusal(draft.say.unknown([found[0]]), 1)
  // Without a time of its end, what is done cannot be told from what is late.
  if (due.length > 1 || ends.length !== 1 || found[0].startsWith('not'))
    throw draft.ambiguous(found[0], [...due, ...ends])
  draft.addFilter(field, { lt: today }, found.index)
  for (const end of ends) draft.addFilter(end, { exists: false }, found.index)
}
