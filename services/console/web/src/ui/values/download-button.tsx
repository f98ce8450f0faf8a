import { useMutation } from '@tanstack/react-query'
import { downloadFile } from '../../api/download-file.ts'
import { Button, type ButtonProps, Icon } from '../button/button.tsx'
import { showError } from '../message/toast.ts'

/** Saves the file of an endpoint. @param props.fileName its name if the response has none */
export function DownloadButton({
  workspaceId,
  path,
  fileName,
  children,
  ...look
}: Omit<ButtonProps, 'isBusy' | 'onClick'> & { workspaceId: string; path: string; fileName: string }) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => downloadFile(workspaceId, path, fileName),
    onError: showError,
  })
  return (
    <Button {...look} isBusy={isPending} onClick={() => mutate()}>
      <Icon name="download" size={16} />
      {children}
    </Button>
  )
}
