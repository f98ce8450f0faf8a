import { cloneElement, type KeyboardEvent, useState } from 'react'
import { useDeferred } from './deferred.ts'
import type { MenuProps } from './menu.tsx'

const loadMenu = () => import('./menu.tsx')
const openingKeys: ReadonlySet<string> = new Set(['ArrowDown', 'ArrowUp'])

/** A menu of a part that every page shows: its button is there at once, the code of the menu follows. */
export function DeferredMenu({ trigger, ...menu }: Omit<MenuProps, 'isOpenAtFirst'>) {
  const [isOpened, setOpened] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const [isHovered, setHovered] = useState(false)
  const loaded = useDeferred(loadMenu, isOpened || isFocused || isHovered)
  // The menu brings a button of its own: replacing one that has the focus would lose the focus.
  if (loaded && (isOpened || !isFocused)) return <loaded.Menu trigger={trigger} isOpenAtFirst={isOpened} {...menu} />
  return cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => setOpened(true),
    onKeyDown: ({ key }: KeyboardEvent) => openingKeys.has(key) && setOpened(true),
    onFocus: () => setFocused(true),
    onBlur: () => setFocused(false),
    onPointerEnter: () => setHovered(true),
  })
}
