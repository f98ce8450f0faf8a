import { Dialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { sessionQuery } from '../../session/session.ts'
import { useCan, useWorkspaceId } from '../../session/workspace-context.tsx'
import { chooseTheme } from '../../theme/theme.ts'
import { Icon, type IconName } from '../../ui/button/button.tsx'
import { Kbd } from '../../ui/values/values.tsx'
import { actions } from './actions.ts'
import styles from './command-palette.module.css'
import { matchCommands } from './match-commands.ts'
import { navigationItems, settingsItems } from './navigation.ts'
import { useObjects } from './use-objects.ts'

interface Command {
  /** Of an object, whose name another one may have. */
  id?: string
  label: string
  group: string
  icon: IconName
  keywords?: string
  shortcut?: string | undefined
  run: () => void
}

/** Options that are shown at once. */
const maxOptions = 50

/** Opens pages and objects, and starts actions, by typing. The last option searches the records. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const [selected, setSelected] = useState(0)
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const hasRun = useRef(false)
  const commands = useCommands(text)
  const found = matchCommands(commands.fixed, text).slice(0, maxOptions)
  const options = text.trim() === '' ? found : [...found, commands.search]
  const run = (command: Command | undefined) => {
    hasRun.current = command !== undefined
    onClose()
    command?.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      const next = (selected + step + options.length) % Math.max(1, options.length)
      setSelected(next)
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      run(options[selected])
    }
  }
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        {/* A page that a command opens takes the focus itself. */}
        <Dialog.Popup className={styles.popup} initialFocus={input} finalFocus={() => !hasRun.current}>
          <Dialog.Title className="visually-hidden">Search and commands</Dialog.Title>
          <input
            ref={input}
            className={styles.input}
            role="combobox"
            aria-expanded="true"
            aria-controls={`${id}-list`}
            aria-activedescendant={options.length > 0 ? `${id}-${selected}` : undefined}
            aria-label="Search and commands"
            placeholder="Find a page, a building, a file, or something to do"
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              setSelected(0)
            }}
            onKeyDown={onKeyDown}
          />
          <div id={`${id}-list`} role="listbox" aria-label="Results" className={styles.list}>
            {options.map((command, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the input above handles the keys of the list
              <div
                key={command.id ?? `${command.group} ${command.label}`}
                id={`${id}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === selected}
                className={styles.option}
                onPointerMove={() => setSelected(index)}
                onClick={() => run(command)}
              >
                <Icon name={command.icon} />
                <span className="ellipsis">{command.label}</span>
                {command.shortcut?.split(' ').map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
                <span className="muted small" style={{ flex: 'none' }}>
                  {command.group}
                </span>
              </div>
            ))}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function useCommands(text: string): { fixed: readonly Command[]; search: Command } {
  const navigate = useNavigate()
  const workspaceId = useWorkspaceId()
  const can = useCan()
  const { data: session } = useQuery(sessionQuery)
  const open = (path: string) => () => void navigate({ href: `/${workspaceId}/${path}` })
  const workspaces = session?.authenticated ? session.user.workspaces : []
  const fixed: Command[] = [
    ...navigationItems
      .filter(({ scope }) => scope === undefined || can(scope))
      .map((item) => ({ ...item, group: settingsItems.includes(item) ? 'Settings' : 'Page', run: open(item.path) })),
    ...actions
      .filter(({ scope }) => can(scope))
      .map(({ label, path, icon, keywords }) => ({ label, group: 'Action', icon, keywords, run: open(path) })),
    ...useObjects(text).map((object) => ({ ...object, run: open(object.path) })),
    ...workspaces
      .filter(({ workspace_id }) => workspace_id !== workspaceId)
      .map(({ workspace_id, name }) => ({
        label: name,
        group: 'Workspace',
        icon: 'building' as const,
        keywords: `switch ${workspace_id}`,
        run: () => void navigate({ href: `/${workspace_id}` }),
      })),
    ...(['light', 'dark', 'system'] as const).map((choice) => ({
      label: `Use the ${choice} theme`,
      group: 'Theme',
      icon: 'sun' as const,
      run: () => chooseTheme(choice),
    })),
  ]
  const search: Command = {
    label: `Search records for “${text.trim()}”`,
    group: 'Search',
    icon: 'search',
    run: open(`search?q=${encodeURIComponent(text.trim())}`),
  }
  return { fixed, search }
}
