import { contentWidth, ink, page } from '@wp/pdf'
import { dayNames } from '../../result/words.ts'
import { draw, type Flow, lineHeight, paragraph, reserve } from '../layout/flow.ts'

/** Rows of a table. The result of the scenario has all of them. */
export const maxRows = { floors: 120, teams: 400, changes: 40, warnings: 20 }

/** The size of running text. */
export const small = { size: 8 }

/** The names of floors by id, short but distinct. */
export type FloorNames = ReadonlyMap<string, string>

/** Returns the headings of columns for weekdays, short if there are many. */
export const dayHeadings = (weekdays: readonly string[]): string[] =>
  weekdays.map((weekday) => (dayNames[weekday] ?? weekday).slice(0, weekdays.length > 5 ? 3 : undefined))

/** States the number of rows that a table leaves out. */
export function noteHidden(flow: Flow, all: number, shown: number, noun: string): void {
  if (all > shown)
    paragraph(flow, `${all - shown} more ${noun} are in the result of the scenario.`, { ...small, color: ink.muted })
}

/** Prints a text of a list. */
export function bullet(flow: Flow, text: string, { size = 8, maxLines = 6 } = {}): void {
  reserve(flow, lineHeight(size))
  draw(flow, { kind: 'rectangle', x: page.left + 1, y: flow.y + size * 0.45, width: 3, height: 3, fill: ink.accent })
  paragraph(flow, text, { size }, { maxLines, gap: 3, x: page.left + 11, width: contentWidth - 11 })
}
