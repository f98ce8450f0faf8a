import { formatAmount } from '../../../ui/format/format.ts'
import { Card } from '../../../ui/page/page.tsx'
import { formatKept } from '../scenario-words.ts'
import styles from '../scenarios.module.css'
import type { ScenarioResult } from '../workplace.ts'

/** The saving of a year with its arithmetic, line by line; rent is apart. */
export function SavingCard({ result, shorten }: { result: ScenarioResult; shorten: (text: string) => string }) {
  const { saving, next_point: next } = result
  if (saving === null)
    return (
      <Card title="The saving of a year">
        <p>No floor closes that has a cost, or the costs have no common currency.</p>
      </Card>
    )
  const money = (amount: number) => formatAmount(amount, saving.currency)
  return (
    <Card title="The saving of a year">
      <table className={styles.plain}>
        <thead>
          <tr>
            <th scope="col">Floor</th>
            <th scope="col">Arithmetic</th>
            <th scope="col" className={styles.end}>
              Saves a year
            </th>
          </tr>
        </thead>
        <tbody>
          {saving.lines.map(({ space_id: id, name, arithmetic, amount }) => (
            <tr key={id}>
              <th scope="row">{shorten(name)}</th>
              <td>{arithmetic}</td>
              <td className={styles.end}>{money(amount)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={2}>
              Total
            </th>
            <td className={styles.end}>
              <strong>{money(saving.amount)}</strong>
            </td>
          </tr>
        </tfoot>
      </table>
      {saving.rent > 0 && (
        <p className="secondary size-table above-3">
          Not in it: {money(saving.rent)} a year of the rest, such as rent, of floors that are closed all week. It ends
          only with the lease.
        </p>
      )}
      {next?.cost != null && next.cost > 0 && (
        <p className="secondary size-table above-3">
          To keep the promise on {formatKept(next.service_level)} of days, one point more, costs {money(next.cost)} a
          year.
        </p>
      )}
    </Card>
  )
}
