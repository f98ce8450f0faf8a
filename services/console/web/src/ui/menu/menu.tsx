import { Menu as BaseMenu } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import { classNames, Icon, IconButton, type IconName } from '../button/button.tsx'
import styles from './menu.module.css'

export type MenuEntry =
  | {
      label: string
      icon?: IconName
      onSelect: () => void
      isDangerous?: boolean
      isDisabled?: boolean
    }
  | { heading: string }
  | 'separator'
  | false
  | null
  | undefined

export interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement<Record<string, unknown>>
  entries: readonly MenuEntry[]
  align?: 'start' | 'end'
  isOpenAtFirst?: boolean
}

/** A menu of actions. */
export function Menu({ trigger, entries, align = 'end', isOpenAtFirst = false }: MenuProps) {
  return (
    <BaseMenu.Root defaultOpen={isOpenAtFirst}>
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner className={styles.positioner} align={align} sideOffset={4}>
          <BaseMenu.Popup className={styles.popup}>{entries.map(renderEntry)}</BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}

function renderEntry(entry: MenuEntry, index: number): ReactNode {
  if (!entry) return null
  if (entry === 'separator') return <BaseMenu.Separator key={`separator-${index}`} className={styles.separator} />
  if ('heading' in entry)
    return (
      <div key={entry.heading} className={styles.label}>
        {entry.heading}
      </div>
    )
  return (
    <BaseMenu.Item
      key={entry.label}
      className={classNames(styles.item, entry.isDangerous && styles.danger)}
      disabled={entry.isDisabled ?? false}
      onClick={entry.onSelect}
    >
      {entry.icon && <Icon name={entry.icon} size={16} />}
      {entry.label}
    </BaseMenu.Item>
  )
}

/** The menu of a row or a page, behind a button with three dots. @param label `Actions of <name>` */
export const ActionMenu = ({ label, entries }: { label: string; entries: readonly MenuEntry[] }) => (
  <Menu
    entries={entries}
    trigger={
      <IconButton label={label} variant="quiet" size="small">
        <Icon name="more" />
      </IconButton>
    }
  />
)
