import { formatMoney, formatShare } from '../../result/words.ts'
import type { ScenarioResult } from '../../scenario-job.ts'
import { type Flow, paragraph, sectionHeading } from '../layout/flow.ts'
import { table } from '../layout/table.ts'
import { type FloorNames, maxRows, noteHidden, small } from './section.ts'

/** Prints the saving of each floor with its arithmetic; rent is apart. */
export function printSaving(flow: Flow, { saving, next_point: next }: ScenarioResult, labels: FloorNames): void {
  sectionHeading(flow, 'The saving of a year')
  if (saving === null) {
    paragraph(flow, 'No floor closes that has a cost, or the costs have no common currency.', small)
    return
  }
  const money = (amount: number) => formatMoney(amount, saving.currency)
  const lines = saving.lines.slice(0, maxRows.floors)
  table(
    flow,
    [
      { heading: 'Floor', width: 128 },
      { heading: 'Arithmetic', width: 259, maxLines: 3 },
      { heading: 'Saving a year', width: 96, align: 'right' },
    ],
    [
      ...lines.map(({ space_id: id, name, arithmetic, amount }) => [labels.get(id) ?? name, arithmetic, money(amount)]),
      ['Total', '', money(saving.amount)],
    ],
    { hasTotal: true },
  )
  noteHidden(flow, saving.lines.length, lines.length, 'floors')
  const rents = saving.lines.filter(({ rent }) => rent > 0)
  if (rents.length > 0) {
    paragraph(
      flow,
      'Not in the saving: the rest of the cost of floors that are closed all week, such as rent. It ends only with the lease.',
      small,
    )
    const shown = rents.slice(0, maxRows.floors)
    table(
      flow,
      [
        { heading: 'Floor', width: 387 },
        { heading: 'Rent a year', width: 96, align: 'right' },
      ],
      [
        ...shown.map(({ space_id: id, name, rent }) => [labels.get(id) ?? name, money(rent)]),
        ['Total', money(saving.rent)],
      ],
      { hasTotal: true },
    )
    noteHidden(flow, rents.length, shown.length, 'floors')
  }
  if (next?.cost != null)
    paragraph(
      flow,
      `To keep the promise on ${formatShare(next.service_level)} of days, one point more, costs ${money(next.cost)} a year.`,
      small,
    )
}
