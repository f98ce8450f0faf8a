import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Kbd } from '../../ui/values/values.tsx'
import styles from './keyboard-help.module.css'
import { navigationItems } from './navigation.ts'

const general: readonly (readonly [keys: string, action: string])[] = [
  ['Ctrl K', 'Search and commands (⌘K on Apple)'],
  ['/', 'Search and commands'],
  ['?', 'This list'],
  ['Esc', 'Close a dialog or menu'],
  ['Tab', 'Next control'],
  ['← →', 'Move through the points of a chart'],
]

/** Lists the keys of the console. */
export function KeyboardHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const pages = navigationItems.flatMap(({ shortcut, label }) => (shortcut ? [[shortcut, label] as const] : []))
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Keyboard">
      <KeyList keys={general} />
      <h3 className={styles.heading}>Go to</h3>
      <KeyList keys={pages} />
    </Dialog>
  )
}

const KeyList = ({ keys }: { keys: readonly (readonly [keys: string, action: string])[] }) => (
  <dl className={styles.keys}>
    {keys.map(([combination, action]) => (
      <div key={combination}>
        <dt>{action}</dt>
        <dd>
          {combination.split(' ').map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}
        </dd>
      </div>
    ))}
  </dl>
)
