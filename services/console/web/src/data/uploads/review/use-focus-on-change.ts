import { type RefObject, useEffect, useRef } from 'react'

/**
 * Returns the ref of a heading. It takes the focus whenever what is below it becomes something else.
 * @param state names the content; false while the heading does not exist
 */
export function useFocusOnChange(state: string | boolean): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (state !== false) heading.current?.focus()
  }, [state])
  return heading
}
