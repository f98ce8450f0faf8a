import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useWorkspaceId } from '../../session/workspace-context.tsx'
import { navigationItems } from './navigation.ts'

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
export function useShortcuts({ openPalette, openHelp }: { openPalette: () => void; openHelp: () => void }): void {
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
