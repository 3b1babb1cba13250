type Handlers = Readonly<Partial<Record<MediaSessionAction, MediaSessionActionHandler | null>>>;

/** Sets what media keys and lock screens do; actions that the browser does not know are left out. */
export const setMediaHandlers = (handlers: Handlers): void => {
  for (const [action, handler] of Object.entries(handlers)) {
    try {
      navigator.mediaSession.setActionHandler(action as MediaSessionAction, handler);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }
};
