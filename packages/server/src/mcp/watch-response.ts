/** Returns a response that reports, once, when its body has ended: wholly, or because its reader is gone. A body that is no stream has ended already. */
export function watchResponse(response: Response, onEnd: (whole: boolean) => void): Response {
  const { body, status, statusText, headers } = response;
  if (body === null || headers.get('content-type')?.startsWith('text/event-stream') !== true) {
    onEnd(true);
    return response;
  }
  const reader = body.getReader();
  let ended = false;
  const end = (whole: boolean): void => {
    if (!ended) onEnd(whole);
    ended = true;
  };
  const watched = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (ended) return;
        if (!done) return controller.enqueue(value);
        end(true);
        controller.close();
      } catch (error) {
        end(false);
        controller.error(error);
      }
    },
    async cancel(reason) {
      end(false);
      await reader.cancel(reason).catch(() => undefined);
    },
  });
  return new Response(watched, { status, statusText, headers });
}
