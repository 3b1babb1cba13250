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

/** Safari's part of the Audio Session API. */
interface AudioSessionNavigator {
  readonly audioSession?: { type: string };
}

/** Tells Safari that the page plays music: it then sounds while the switch of the phone is on silent, and other apps stop. */
export const claimPlayback = (browser: AudioSessionNavigator = navigator as AudioSessionNavigator): void => {
  if (browser.audioSession) browser.audioSession.type = 'playback';
};
