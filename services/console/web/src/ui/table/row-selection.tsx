import type { ReactNode } from 'react'
import { Button } from '../button/button.tsx'
import { formatCount } from '../format/format.ts'
import styles from './table.module.css'

/** The selected rows of a table. */
export interface Selection {
  keys: ReadonlySet<string>
  onChange: (keys: ReadonlySet<string>) => void
  /** Singular noun of a row, for the count. */
  noun: string
  /** Default: the noun with an s. */
  plural?: string
  /** Buttons for the selected rows. */
  actions: ReactNode
}

/** The check box of all rows of a page. @param props.rowKeys keys of the rows */
export function SelectAll({
  rowKeys: all,
  selection: { keys, onChange },
}: {
  rowKeys: readonly string[]
  selection: Selection
}) {
  const isAll = all.every((key) => keys.has(key))
  return (
    <label className={styles.selectAll}>
      <input
        type="checkbox"
        aria-label="Select all rows of this page"
        checked={isAll}
        ref={(box) => {
          if (box) box.indeterminate = !isAll && keys.size > 0
        }}
        onChange={() => onChange(new Set(isAll ? [] : all))}
      />
      <span>Select all</span>
    </label>
  )
}

/** The cell with the check box of a row. @param props.name text that names the row in the label */
export function SelectRow({
  rowKey: key,
  name,
  selection: { keys, onChange },
}: {
  rowKey: string
  name: string
  selection: Selection
}) {
  const toggle = () => {
    const next = new Set(keys)
    if (!next.delete(key)) next.add(key)
    onChange(next)
  }
  return (
    <td data-label="" className={styles.narrow}>
      <input type="checkbox" aria-label={`Select ${name}`} checked={keys.has(key)} onChange={toggle} />
    </td>
  )
}

/** Shows how many rows are selected, with the buttons for them. */
export const SelectedRowsBar = ({ keys, onChange, noun, plural, actions }: Selection) => (
  <section className={styles.bulk} aria-label="Selected rows">
    <strong>{formatCount(keys.size, noun, plural)} selected</strong>
    {actions}
    <Button size="small" variant="quiet" onClick={() => onChange(new Set())}>
      Clear
    </Button>
  </section>
)

/** The result of the same call for several resources. */
interface BulkResult {
  done: readonly string[]
  failed: readonly string[]
  /** The first error; undefined if all calls succeeded. */
  error?: unknown
}

/** Calls the API for one resource after the other, and goes on after an error. */
export async function runBulk(keys: Iterable<string>, call: (key: string) => Promise<unknown>): Promise<BulkResult> {
  const done: string[] = []
  const failed: string[] = []
  let firstError: unknown
  for (const key of keys) {
    try {
      await call(key)
      done.push(key)
    } catch (error) {
      if (failed.length === 0) firstError = error
      failed.push(key)
    }
  }
  return { done, failed, ...(failed.length > 0 && { error: firstError }) }
}
