package tui

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"caliper/engine/live"
	"caliper/tui/desk"
	"caliper/tui/ui"
)

// inHome gives a file of the made-up home folder the lines below as its content:
// home FILE. The servers found there are offered before the explorer opens. A server
// whose name begins with "broken" cannot be listed, every other lists three tools.
func (p *player) inHome(line sceneLine) error {
	p.sceneApp.home = true
	path := filepath.Join(p.dir, "home", filepath.FromSlash(line.Rest))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(strings.Join(line.Block, "\n")+"\n"), 0o600)
}

// earlier names the files of a run before this one in the made-up home folder, the
// configuration last: earlier tools.json agent.yaml. Several lines are several runs, the
// newest first. They are offered before the explorer opens.
func (p *player) earlier(line sceneLine) error {
	p.sceneApp.home = true
	var paths []string
	for _, name := range strings.Fields(line.Rest) {
		paths = append(paths, filepath.Join(p.dir, "home", name))
	}
	n := len(paths) - 1
	p.last = append(p.last, desk.LastFiles{Registry: paths[:n], Config: paths[n]})
	return nil
}

// offered returns the offer of the made-up home folder. Whatever is
// chosen opens the files of the scene.
func (a *sceneApp) offered(opt Options) *Offer {
	home := filepath.Join(a.dir, "home")
	work := filepath.Join(home, "work")
	open := func(demo bool, welcome string) (Options, error) {
		opened := opt
		if opened.Offer, opened.Demo, opened.Welcome = nil, "", welcome; demo {
			opened.Demo = a.dir
		}
		return opened, nil
	}
	var logs []string
	if path := filepath.Join(home, ".claude", "projects"); exists(path) {
		logs = []string{path}
	}
	return &Offer{
		OfferOptions: desk.OfferOptions{
			Last: a.last, Logs: logs, Files: live.FindClients(a.t.Context(), live.ClientPlaces{Home: home, Work: work}), Home: home, Work: work,
			Ask: func(_ context.Context, servers []desk.OfferServer, _ <-chan struct{}, report func(int, desk.OfferState)) (desk.OfferAnswer, error) {
				var answer desk.OfferAnswer
				for n, s := range servers {
					report(n, desk.OfferState{Stage: live.Initializing})
					if strings.HasPrefix(s.Name, "broken") {
						report(n, desk.OfferState{Err: "server \"" + s.Name + "\": initialize: the server ended", Ended: true})
						continue
					}
					report(n, desk.OfferState{Tools: 3, Ended: true})
					answer.Registry, answer.Servers, answer.Tools = registryFile, answer.Servers+1, answer.Tools+3
				}
				return answer, nil
			},
		},
		Open: func(answer desk.OfferAnswer) (Options, error) {
			if answer.Registry == "" {
				return Options{}, errors.New("an answer without a registry was opened")
			}
			return open(false, "opened what was listed")
		},
		Again: func(f desk.LastFiles) (Options, error) {
			return open(false, "opened again: "+strings.Join(f.Registry, ", "))
		},
		Demo: func() (Options, error) { return open(true, "this is the demo") },
		Replay: func() (Options, error) {
			opened, err := open(true, "your own logs")
			opened.Start = "Replay"
			return opened, err
		},
	}
}

// exists reports whether there is something at a path.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// layer returns the keys that work now.
func (a *sceneApp) layer() *ui.Layer {
	if f, ok := a.d.model.(*front); ok {
		return f.screen.Layer()
	}
	return a.d.app().layer()
}
