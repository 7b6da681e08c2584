// What this device keeps of pages: the service worker's copies.

/** Have the worker at `address` keep a copy of this page, so that it opens without a line; `anew`: although it has one. */
export async function keepPage(address, anew = false) {
  const worker = navigator.serviceWorker;
  if (!worker || !address) return;
  const kept = Boolean(worker.controller); // then it kept this page while loading it
  try {
    await worker.register(address);
    const { active } = await worker.ready;
    if (!kept || anew) active.postMessage({ keep: location.pathname });
  } catch {
    // Forbidden, or no room: the page works all the same, only not after a reload without a line.
  }
}
