import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { productName } from '../product-name.ts'
import { useRememberScopes, useWorkspaceId } from '../session/workspace-context.tsx'
import { Icon, IconButton } from '../ui/button/button.tsx'
import { useDeferred } from '../ui/menu/deferred.ts'
import { Logo } from '../ui/values/logo.tsx'
import { Kbd } from '../ui/values/values.tsx'
import { isInSettings, navigationItems } from './commands/navigation.ts'
import { FilesToReviewNotice } from './files-to-review-notice.tsx'
import { MainNavigation } from './navigation/main-navigation.tsx'
import { SettingsNavigation } from './navigation/settings-navigation.tsx'
import styles from './shell.module.css'
import { useKeepFocus } from './use-keep-focus.ts'
import { UserMenu } from './user-menu.tsx'
import { WorkspaceSwitcher } from './workspace-switcher.tsx'

const loadPalette = () => import('./commands/command-palette.tsx')
const loadKeyboardHelp = () => import('./commands/keyboard-help.tsx')

/** The frame of every page of a workspace: navigation, command palette, keyboard shortcuts. */
export function Shell() {
  const [isMenuOpen, setMenuOpen] = useState(false)
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const [isHelpOpen, setHelpOpen] = useState(false)
  const palette = useDeferred(loadPalette, isPaletteOpen)
  const help = useDeferred(loadKeyboardHelp, isHelpOpen)
  const main = useRef<HTMLElement>(null)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const pagePath = path.split('/').slice(2).join('/')
  const isSettings = isInSettings(pagePath)
  useKeepFocus()
  useRememberScopes()
  useShortcuts({ openPalette: () => setPaletteOpen(true), openHelp: () => setHelpOpen(true) })

  const isFirstPath = useRef(true)
  useEffect(() => {
    setMenuOpen(false)
    if (isFirstPath.current) isFirstPath.current = false
    else main.current?.focus({ preventScroll: true })
  }, [path])

  return (
    <div className={styles.shell}>
      <a href="#content" className={styles.skip}>
        Skip to content
      </a>
      <header className={styles.topbar}>
        <IconButton
          label="Open navigation"
          variant="quiet"
          aria-expanded={isMenuOpen}
          onClick={() => setMenuOpen(true)}
        >
          <Icon name="menu" />
        </IconButton>
        <strong>{productName}</strong>
        <IconButton label="Search and commands" variant="quiet" onClick={() => setPaletteOpen(true)}>
          <Icon name="search" />
        </IconButton>
      </header>
      <button
        type="button"
        className={styles.scrim}
        data-open={isMenuOpen}
        aria-label="Close navigation"
        tabIndex={-1}
        onClick={() => setMenuOpen(false)}
      />
      <aside className={styles.sidebar} data-open={isMenuOpen} aria-label="Sidebar">
        <div className={styles.product}>
          <Logo size={20} />
          <span className="ellipsis">{productName}</span>
        </div>
        <WorkspaceSwitcher />
        <button type="button" className={styles.search} onClick={() => setPaletteOpen(true)}>
          <Icon name="search" size={16} />
          <span>Search or jump to</span>
          <Kbd>{isApple ? '⌘K' : 'Ctrl K'}</Kbd>
        </button>
        <MainNavigation path={pagePath} />
        <UserMenu onShowKeys={() => setHelpOpen(true)} />
      </aside>
      <main id="content" ref={main} tabIndex={-1} className={styles.main}>
        <FilesToReviewNotice />
        <div className={styles.area} data-area={isSettings ? 'settings' : undefined}>
          {isSettings && <SettingsNavigation path={pagePath} />}
          <Outlet />
        </div>
      </main>
      {palette && isPaletteOpen && <palette.CommandPalette onClose={() => setPaletteOpen(false)} />}
      {help && <help.KeyboardHelp isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />}
    </div>
  )
}

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

const sequenceMs = 1200

const typedInto = 'textarea, input:not([type=checkbox], [type=radio], [type=file])'

/** Returns true if a key press belongs to a field that takes text, or to an open dialog or menu. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest(`${typedInto}, select, [role=dialog], [role=menu]`) !== null)
  )
}

/** Listens to the keys of the console: the command palette, the list of keys, and `g` with a second key for pages. */
function useShortcuts({ openPalette, openHelp }: { openPalette: () => void; openHelp: () => void }): void {
  const navigate = useNavigate()
  const workspaceId = useWorkspaceId()
  const handlers = useRef({ openPalette, openHelp })
  handlers.current = { openPalette, openHelp }
  useEffect(() => {
    let first: { key: string; at: number } | undefined
    const onKeyDown = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        handlers.current.openPalette()
        return
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return
      if (event.key === '?') return handlers.current.openHelp()
      if (event.key === '/') {
        event.preventDefault()
        return handlers.current.openPalette()
      }
      const isSequence = first !== undefined && event.timeStamp - first.at < sequenceMs
      const keys = isSequence ? `${first?.key} ${event.key}` : event.key
      const item = navigationItems.find(({ shortcut }) => shortcut === keys)
      first = item ? undefined : { key: event.key, at: event.timeStamp }
      if (item === undefined) return
      event.preventDefault()
      void navigate({ to: `/${workspaceId}/${item.path}` })
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [navigate, workspaceId])
}
