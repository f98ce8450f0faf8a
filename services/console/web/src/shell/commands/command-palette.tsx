import { Dialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Scope } from '@wp/contracts'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { sessionQuery } from '../../session/session.ts'
import { useCan, useWorkspaceId } from '../../session/workspace-context.tsx'
import { chooseTheme } from '../../theme/theme.ts'
import { Icon, type IconName } from '../../ui/button/button.tsx'
import { Kbd } from '../../ui/values/values.tsx'
import styles from './command-palette.module.css'
import { navigationItems } from './navigation.ts'

interface Command {
  label: string
  group: string
  icon: IconName
  keywords?: string
  shortcut?: string
  run: () => void
}

/** Actions that begin on a page of their own. Paths are within the workspace. */
const actions: readonly (readonly [label: string, path: string, scope: Scope, icon: IconName, keywords: string])[] = [
  ['Upload data', 'data/new', 'data:write', 'upload', 'new source csv json file'],
  ['Create an API key', 'developer/keys?create=true', 'auth:keys', 'key', 'new secret token'],
  ['Create a service principal', 'developer?create=true', 'auth:admin', 'key', 'new client secret'],
  ['Add a webhook', 'webhooks/new', 'webhooks:write', 'webhooks', 'new endpoint subscription'],
  ['Start a forecast', 'forecasts/new', 'solutions:run', 'chart', 'new run'],
  ['Create an agent', 'agents/new', 'agents:write', 'robot', 'new ai'],
  ['Connect an integration', 'integrations/new', 'integrations:write', 'plug', 'new provider'],
  ['Invite a member', 'members?invite=true', 'auth:admin', 'people', 'new user'],
  ['Export the audit log', 'audit/exports', 'audit:export', 'audit', 'compliance csv'],
]

/** Returns the commands that match every word, those whose label begins with the text first. */
function matchCommands(commands: readonly Command[], text: string): Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const haystack = ({ label, keywords = '', group }: Command) => `${label} ${keywords} ${group}`.toLowerCase()
  const matching = commands.filter((command) => words.every((word) => haystack(command).includes(word)))
  const rank = ({ label }: Command) => (label.toLowerCase().startsWith(text.toLowerCase()) ? 0 : 1)
  return matching.toSorted((left, right) => rank(left) - rank(right))
}

/** Opens pages and starts actions by typing. What no command matches becomes a search in the records. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const [selected, setSelected] = useState(0)
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const hasRun = useRef(false)
  const commands = useCommands(text)
  const found = matchCommands(commands.fixed, text)
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
            placeholder="Jump to a page, start an action, or search records"
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
                key={`${command.group} ${command.label}`}
                id={`${id}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === selected}
                className={styles.option}
                onPointerMove={() => setSelected(index)}
                onClick={() => run(command)}
              >
                <Icon name={command.icon} />
                <span>{command.label}</span>
                {command.shortcut?.split(' ').map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
                <span className={styles.note} style={{ flex: 'none' }}>
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
      .map((item) => ({
        label: item.label,
        group: 'Page',
        icon: item.icon,
        ...(item.keywords !== undefined && { keywords: item.keywords }),
        ...(item.shortcut !== undefined && { shortcut: item.shortcut }),
        run: open(item.path),
      })),
    ...actions
      .filter(([, , scope]) => can(scope))
      .map(([label, path, , icon, keywords]) => ({ label, group: 'Action', icon, keywords, run: open(path) })),
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
