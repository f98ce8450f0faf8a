import { webhookEvents } from '@wp/contracts'
import { type MailBlock, toSingleLine } from '@wp/mail'

/** A part of a mail or message below the text of a notification. Texts are on one line. */
export type DetailBlock = Extract<
  MailBlock,
  { heading: string } | { list: unknown } | { table: unknown } | { text: string }
>

/** The details of a notification, for mails and messages. */
export type NotificationDetails = readonly DetailBlock[]

/** Characters of an action; a plan names at most 12 floors in one. */
const maxCharacters = 2_000

/** Returns what a facilities manager does about a daily plan, and its floors. */
export function planDetails(data: Readonly<Record<string, unknown>>): NotificationDetails {
  const parsed = webhookEvents.WORKPLACE_PLAN_CREATED.data.safeParse(data)
  if (!parsed.success) return []
  const { actions, floors, floor_count: floorCount, warnings } = parsed.data
  const left = floorCount - floors.length
  return [
    ...(actions.length === 0 ? [] : [{ heading: 'To do' }, { list: actions.map(({ text }) => textOf(text)) }]),
    ...(floors.length === 0
      ? []
      : [
          { heading: 'Floors' },
          {
            table: {
              columns: [
                { label: 'Floor', isNumeric: false },
                { label: 'People (most)', isNumeric: true },
                { label: 'Heating', isNumeric: true },
                { label: 'Cleaning', isNumeric: true },
              ],
              rows: floors.map((floor) => [
                `${textOf(floor.name)}${floor.is_closed ? ' (closed)' : ''}`,
                peopleText(floor),
                floor.is_closed ? 'off' : windowText(floor.heating),
                cleaningText(floor),
              ]),
            },
          },
        ]),
    ...(left > 0 ? [{ text: `… and ${left} more ${left === 1 ? 'floor' : 'floors'} in the plan.` }] : []),
    ...(warnings.length === 0 ? [] : [{ heading: 'Notes' }, { list: warnings.map(textOf) }]),
  ]
}

const none = '–'

function peopleText({ expected, at_most: most }: { expected: number | null; at_most: number | null }): string {
  if (expected === null) return none
  return `${Math.round(expected)}${most === null ? '' : ` (${Math.round(most)})`}`
}

const windowText = (window: { from: string; to: string } | null): string =>
  window === null ? none : `${window.from}–${window.to}`

/** Of a floor without figures nothing is planned. */
const cleaningText = (floor: {
  is_closed: boolean
  expected: number | null
  cleaning_minutes: number | null
}): string =>
  floor.cleaning_minutes === null
    ? floor.is_closed || floor.expected !== null
      ? none
      : 'as usual'
    : `${floor.cleaning_minutes} min`

const textOf = (text: string): string => toSingleLine(text).slice(0, maxCharacters)
