import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/**
 * Returns `navigate` for the end of a call that takes a while: it does nothing once the component is no longer shown,
 * so that a person who has left the page is not taken away from where they are.
 */
export function useLeadOn(): ReturnType<typeof useNavigate> {
  const navigate = useNavigate()
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  const leadOn = async (options: Parameters<typeof navigate>[0]) => {
    if (isShown.current) await navigate(options)
  }
  return leadOn as typeof navigate // the types of the options depend on the path
}
