import { useState } from 'react'
import { Button } from '../../ui/button/button.tsx'
import { useDeferred } from '../../ui/menu/deferred.ts'

const loadDialog = () => import('./portal-link-dialog.tsx')

/** Opens the dialog that creates a portal link. */
export function PortalLinkButton() {
  const [isOpen, setOpen] = useState(false)
  const loaded = useDeferred(loadDialog, isOpen)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Portal link</Button>
      {loaded && isOpen && <loaded.PortalLinkDialog onClose={() => setOpen(false)} />}
    </>
  )
}
