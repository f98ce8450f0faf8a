import { useEffect } from 'react'

/** Parts of a page that can take the focus in place of what was in them. */
const parts = 'section, article, main, [role=dialog]'

/**
 * Keeps the focus on the page when the focused element is removed or disabled. It moves to the nearest part of the page
 * or dialog around that element, so that the next Tab goes on from there. After a dialog or menu it returns to the last
 * focused element outside of them.
 */
export function useKeepFocus(): void {
  useEffect(() => {
    let focused: Element | undefined
    /** Targets of the focus, in order: parts around the focused element, then the last one outside of dialogs. */
    let places: readonly Element[] = []
    let outside: readonly Element[] = []
    let isScheduled = false

    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return
      focused = target
      const around = partsAround(target)
      if (target.closest('#root') !== null) outside = [target, ...around]
      places = [...around.filter((part) => !outside.includes(part)), ...outside]
    }
    const restore = () => {
      isScheduled = false
      if (focused === undefined || (document.activeElement !== document.body && document.activeElement !== null)) return
      // The person has left it, for example by a click beside it.
      if (canTakeFocus(focused)) focused = undefined
      else moveFocus(places.find(canTakeFocus) ?? document.querySelector('main'))
    }
    const schedule = () => {
      if (isScheduled) return
      isScheduled = true
      // After a dialog has given the focus back to what opened it.
      requestAnimationFrame(() => requestAnimationFrame(restore))
    }
    const observer = new MutationObserver(() => {
      if (document.activeElement === document.body) schedule()
    })
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    document.addEventListener('focusin', remember)
    document.addEventListener('focusout', schedule)
    return () => {
      observer.disconnect()
      document.removeEventListener('focusin', remember)
      document.removeEventListener('focusout', schedule)
    }
  }, [])
}

const canTakeFocus = (element: Element): boolean => element.isConnected && !element.matches(':disabled')

function partsAround(element: Element): Element[] {
  const found: Element[] = []
  for (let part = element.closest(parts); part !== null; part = part.parentElement?.closest(parts) ?? null)
    found.push(part)
  return found
}

function moveFocus(place: Element | null): void {
  if (!(place instanceof HTMLElement)) return
  if (place.matches(parts) && !place.hasAttribute('tabindex')) {
    place.tabIndex = -1
    place.addEventListener('blur', () => place.removeAttribute('tabindex'), { once: true })
  }
  place.focus({ preventScroll: true })
}
