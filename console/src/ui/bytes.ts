/** Addresses of files for images, sounds and downloads. */
import { useEffect, useState } from 'preact/hooks';
import { loadBytes } from '../api/client.js';
import { isFramed } from '../api/frameAccess.js';

/** Returns the address itself, or in a frame, once the file is loaded, its address in memory. */
export function useBytes(url: string | undefined): string | undefined {
  const [loaded, setLoaded] = useState<string>();
  useEffect(() => {
    if (!isFramed || url === undefined) return;
    let made: string | undefined;
    let isOver = false;
    loadBytes(url).then(
      (address) => {
        made = address;
        if (isOver) URL.revokeObjectURL(address);
        else setLoaded(address);
      },
      () => undefined,
    );
    return () => {
      isOver = true;
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [url]);
  return isFramed ? loaded : url;
}
