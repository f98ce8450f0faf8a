import { Fragment, type ReactNode } from 'react'
import styles from './data.module.css'

/** Names and values. Entries that are false, null or undefined are left out. */
export function DefinitionList({
  items,
}: {
  items: readonly (readonly [name: string, value: ReactNode] | false | null | undefined)[]
}) {
  return (
    <dl className={styles.list}>
      {items.map(
        (item) =>
          item && (
            <Fragment key={item[0]}>
              <dt>{item[0]}</dt>
              <dd>{item[1] ?? '–'}</dd>
            </Fragment>
          ),
      )}
    </dl>
  )
}
