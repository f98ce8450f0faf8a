import { contentWidth } from '@wp/pdf'
import { assumptionsOf } from '../assumption-words.ts'
import { type Flow, sectionHeading } from '../layout/flow.ts'
import { table } from '../layout/table.ts'
import type { ScenarioReport } from '../scenario-report.ts'
import { bullet, maxRows, noteHidden, small } from './section.ts'

/** Prints what was assumed, and how the figures are to be read. */
export function printAssumptions(flow: Flow, report: ScenarioReport, maxChanges = maxRows.changes): void {
  sectionHeading(flow, 'Assumptions', 100)
  table(
    flow,
    [
      { heading: 'Assumption', width: 110 },
      { heading: 'Value', width: contentWidth - 110, maxLines: 2 },
    ],
    assumptionsOf(report, maxChanges),
    small,
  )
}

const readings = [
  'The saving of a floor is its cost of a year × the share that ends with a closed day × the closed share of the weekdays. It is counted from the first day.',
  'Days on which someone has no place are counted over all sample paths of the forecast. People who find the floors of their team full sit on another open floor that the team may use.',
  'The plan is one of weekdays; public holidays are no part of it.',
]

/** Prints how figures are computed, and what else the reader must know. */
export function printNotes(flow: Flow, { result: { warnings } }: ScenarioReport, explanations = readings): void {
  sectionHeading(flow, 'Notes')
  const shown = warnings.slice(0, maxRows.warnings)
  for (const text of [...shown, ...explanations]) bullet(flow, text)
  noteHidden(flow, warnings.length, shown.length, 'notes')
}
